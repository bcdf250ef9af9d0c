"""The blueprint: River's strategy before the turn, trained by sampling over an abstract game."""
