"""The table in the browser over its live connection, and where there is none."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.support.browser import DESKTOP
from tests.support.system import System
from tests.support.table_page import (
    act_once,
    click_check_or_call,
    deal_next,
    finish_hand,
    ready_or_over,
    sit_down,
)

pytestmark = pytest.mark.browser

only_desktop = pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)

SOCKETS_OF_OTHER_PAGES = """
window.others = Array.from({length: 5}, () => new WebSocket(`ws://${location.host}/v1/ws`,
  'holdem.v1'))
"""


def be_live(page: Page, how: str = "live") -> None:
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", how)


def sit_down_live(page: Page, how: str = "live") -> None:
    """Sit down to a hand in which this player has a turn."""
    sit_down(page)
    be_live(page, how)
    while ready_or_over(page):
        deal_next(page, page.get_by_test_id("next-hand").click)


def second_tab(page: Page) -> Page:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_test_id("own-card")).to_have_count(2)
    return other


def bar_and_log(page: Page) -> tuple[str | None, list[str]]:
    bar = page.get_by_test_id("action-bar").get_attribute("data-state")
    return bar, page.get_by_test_id("hand-log").get_by_role("listitem").all_inner_texts()


def refuse_sockets(page: Page) -> None:
    def shut(socket: WebSocketRoute) -> None:
        socket.close()

    page.context.route_web_socket("**/v1/ws*", shut)


@only_desktop
def test_what_one_tab_plays_the_other_shows(page: Page) -> None:
    sit_down_live(page)
    other = second_tab(page)
    be_live(other)
    act_once(page, click_check_or_call)
    ready_or_over(page)
    ready_or_over(other)
    there, log = bar_and_log(page)
    expect(other.get_by_test_id("action-bar")).to_have_attribute("data-state", there or "")
    assert bar_and_log(other) == (there, log)


@only_desktop
def test_either_tab_may_act(page: Page) -> None:
    sit_down_live(page)
    other = second_tab(page)
    be_live(other)
    act_once(other, click_check_or_call)
    finish_hand(page, click_check_or_call)
    assert ready_or_over(other)


def test_without_sockets_a_table_is_followed_by_a_stream(page: Page) -> None:
    refuse_sockets(page)
    sit_down_live(page, "stream")
    expect(page.get_by_test_id("connection-banner")).to_contain_text("followed another way")
    other = second_tab(page)
    be_live(other, "stream")
    act_once(page, click_check_or_call)
    finish_hand(page, click_check_or_call)
    assert ready_or_over(other)


@only_desktop
def test_without_anything_live_a_table_is_played_by_asking(page: Page) -> None:
    refuse_sockets(page)
    page.context.route("**/v1/tables/*/events*", lambda route: route.abort())
    sit_down_live(page, "polling")
    finish_hand(page, click_check_or_call)


@only_desktop
def test_a_crash_in_the_middle_of_a_hand_is_survived(page: Page, system: System) -> None:
    sit_down_live(page)
    cards = page.get_by_test_id("own-card").all_inner_texts()
    system.kill("gateway")
    be_live(page)
    assert page.get_by_test_id("own-card").all_inner_texts() == cards
    finish_hand(page, click_check_or_call)


@only_desktop
def test_a_restart_is_announced_and_then_over(page: Page, system: System) -> None:
    sit_down_live(page)
    assert system.stop() == 0
    expect(page.get_by_test_id("connection-banner")).to_be_visible()
    be_live(page, "reconnecting")
    system.start()
    be_live(page)
    expect(page.get_by_test_id("connection-banner")).to_have_count(0)
    finish_hand(page, click_check_or_call)


@only_desktop
def test_a_page_that_gave_way_to_others_plays_here_again(page: Page) -> None:
    sit_down_live(page)
    page.evaluate(SOCKETS_OF_OTHER_PAGES)
    be_live(page, "elsewhere")
    page.get_by_test_id("play-here").click()
    be_live(page)
    finish_hand(page, click_check_or_call)


@only_desktop
def test_a_network_that_goes_and_comes_back(page: Page) -> None:
    sit_down_live(page)
    page.context.set_offline(True)
    be_live(page, "offline")
    page.context.set_offline(False)
    be_live(page)
    finish_hand(page, click_check_or_call)


@only_desktop
def test_the_end_of_a_match_that_was_left_is_told_once(page: Page) -> None:
    sit_down_live(page)
    page.goto("/")
    page.get_by_test_id("sit-down").click()
    page.get_by_test_id("supersede-confirm").click()
    notice = page.get_by_test_id("match-notice")
    expect(notice).to_be_visible()
    while notice.count():
        with page.expect_response("**/read"):
            notice.get_by_role("button").click()
    page.reload()
    be_live(page)
    page.goto("/")
    expect(page.get_by_test_id("resume-card")).to_be_visible()
    expect(notice).to_have_count(0)
