"""The words of recovery codes: 256 plain ones, each different within its first letters."""

from typing import Final

WORDS: Final = tuple(
    """
    acorn actor agent alarm album alert alley amber angle ankle apple april apron arena arrow
    attic award bacon badge baker bamboo banjo barley basket beach beaver berry birch bison
    blanket blossom board bonus border bottle branch bread breeze brick bridge broom brush
    bucket buffalo bundle butter cabin cactus camel canal candle canyon carbon carpet castle
    cedar cello cement cheese cherry chimney circle citrus clover cobalt coffee comet copper
    coral cotton cousin cradle crayon cricket crown crystal curtain daisy dance desert diamond
    dinner dolphin donkey dragon drawer drum eagle earth echo elbow eleven ember engine evening
    fabric falcon farmer feather ferry fiddle finger flame flute forest fossil fountain fox
    galaxy garden garlic gentle giant ginger glacier globe glove goat gold gravel guitar hammer
    harbor harvest hazel helmet heron hockey honey horizon hotel hunter igloo indigo island
    ivory jacket jaguar jasmine jelly jigsaw journal jungle kernel kettle kitten ladder lagoon
    lantern laptop lemon leopard lily linen lizard lobster locket lotus lunar magnet mango maple
    marble market meadow melody mirror mitten monkey morning mosaic mountain museum napkin
    nectar needle nickel nutmeg oasis ocean olive onion orange orbit orchid otter oxygen oyster
    paddle palace panda panther parade parrot pebble pelican pencil pepper piano picnic pilot
    pirate planet plum pocket polar pony poplar potato prairie pumpkin puzzle quartz quilt
    rabbit radar raft raven ribbon robin rocket saddle saffron salmon sandal satin saturn
    scarlet shelter shovel silver sketch snow spider spoon squash stable statue summer sunset
    swallow tiger timber tomato tulip tunnel turtle umbrella valley velvet violin walnut window
    winter yellow zebra
    """.split()  # noqa: SIM905  # as a list it would be several pages
)
"""In alphabetical order; a word stands for 8 bits. Codes once given use them, so none changes."""
