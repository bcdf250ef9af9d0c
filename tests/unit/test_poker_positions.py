import pytest

from poker.positions import blind_seats, left_of, next_button, position_labels

LABELS = {
    2: "BTN/SB BB",
    3: "BTN SB BB",
    4: "BTN SB BB UTG",
    5: "BTN SB BB UTG CO",
    6: "BTN SB BB UTG HJ CO",
    7: "BTN SB BB UTG LJ HJ CO",
    8: "BTN SB BB UTG UTG+1 LJ HJ CO",
    9: "BTN SB BB UTG UTG+1 UTG+2 LJ HJ CO",
}


@pytest.mark.parametrize("players", LABELS)
def test_positions_have_labels_by_number_of_players_eng_023(players: int) -> None:
    seats = tuple(range(1, players + 1))
    for button in seats:
        labels = position_labels(seats, button)
        clockwise = [labels[(button - 1 + step) % players + 1] for step in range(players)]
        assert clockwise == LABELS[players].split()


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (2, "SB BB"),
        (3, "SB BB UTG"),
        (6, "SB BB UTG LJ HJ CO"),
        (9, "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO"),
    ],
)
def test_positions_behind_a_dead_button_start_with_the_small_blind(
    players: int, expected: str
) -> None:
    seats = tuple(range(1, players + 1))
    labels = position_labels(seats, button=10)
    assert [labels[seat] for seat in seats] == expected.split()


def test_blinds_are_the_two_seats_left_of_the_button_eng_021() -> None:
    assert blind_seats((2, 5, 7, 9), button=7) == (9, 2)


def test_heads_up_button_is_the_small_blind_eng_022() -> None:
    assert blind_seats((3, 8), button=8) == (8, 3)
    assert blind_seats((3, 8), button=3) == (3, 8)


def test_heads_up_with_a_dead_button_the_first_seat_left_of_it_is_small_blind() -> None:
    assert blind_seats((3, 8), button=5) == (8, 3)
    assert blind_seats((3, 8), button=9) == (3, 8)


def test_left_of_goes_round_the_table_and_over_gaps() -> None:
    assert [left_of((1, 3, 5, 6), seat) for seat in (1, 2, 5, 6, 10)] == [1, 1, 3, 0, 0]


def test_button_moves_clockwise_over_empty_seats_eng_020() -> None:
    seats, button, visited = (1, 3, 5, 6), 1, []
    for _ in range(4):
        _, big = blind_seats(seats, button)
        button = next_button(seats, button, big)
        visited.append(button)
    assert visited == [3, 5, 6, 1]


def test_button_passes_to_the_next_player_with_chips_eng_025() -> None:
    assert next_button((1, 3, 4), button=1, big_blind=3) == 3


@pytest.mark.parametrize(
    ("left", "button", "big_blind"),
    [((2, 3), 3, 2), ((1, 3), 3, 1), ((1, 2), 2, 1)],
    ids=["button busts", "small blind busts", "big blind busts"],
)
def test_nobody_posts_the_big_blind_twice_when_three_become_two_eng_026(
    left: tuple[int, int], button: int, big_blind: int
) -> None:
    moved = next_button(left, button=1, big_blind=3)
    assert (moved, blind_seats(left, moved)) == (button, (button, big_blind))


def test_heads_up_blinds_alternate() -> None:
    assert next_button((1, 2), button=1, big_blind=2) == 2
    assert next_button((1, 2), button=2, big_blind=1) == 1
