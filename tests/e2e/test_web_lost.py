"""What a person sees when something is lost: the network, a turn, a service, a match's time."""

import os
import re
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, Request, Route, expect

from services.common.database import open_engine
from services.gateway.store.schema import MATCHES
from tests.support.browser import DESKTOP
from tests.support.system import System, until
from tests.support.table_page import (
    click_check_or_call,
    deal_next,
    finish_hand,
    give_up,
    ready_or_over,
    sit_down,
)

pytestmark = pytest.mark.browser

only_desktop = pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
KEY = "idempotency-key"


def come_to_a_turn(page: Page) -> None:
    """Sit down, and deal on while River folds before this player has a turn."""
    sit_down(page)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    while ready_or_over(page):
        deal_next(page, page.get_by_test_id("next-hand").click)


def told(page: Page) -> list[str]:
    return page.get_by_test_id("hand-log").get_by_role("listitem").all_inner_texts()


def same_for_somebody_who_comes_now(page: Page) -> None:
    """What this page shows is what a page that was opened just now shows."""
    over = ready_or_over(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert ready_or_over(other) == over
    assert told(other) == told(page)
    other.close()


def stop_the_clock(page: Page) -> Callable[[], None]:
    """Hold every animation where it is; returns how to let time go on."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)
    return page.clock.resume


def act_into_a_held_animation(page: Page) -> Callable[[], None]:
    """Act, and hold the answer's first moment on the table."""
    page.clock.install()
    come_to_a_turn(page)
    go_on = stop_the_clock(page)
    with page.expect_response("**/actions"):
        click_check_or_call(page)
    expect(page.get_by_test_id("action-bar")).to_have_attribute("data-state", "animating")
    return go_on


@only_desktop
def test_a_network_lost_in_the_middle_of_an_animation_changes_nothing(page: Page) -> None:
    go_on = act_into_a_held_animation(page)
    page.context.set_offline(True)
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "offline")
    page.context.set_offline(False)
    go_on()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    same_for_somebody_who_comes_now(page)
    finish_hand(page, click_check_or_call)


def test_a_page_loaded_anew_in_the_middle_of_an_animation_shows_its_end(page: Page) -> None:
    go_on = act_into_a_held_animation(page)
    page.reload()
    expect(page.get_by_test_id("own-card")).to_have_count(2)
    bar = page.get_by_test_id("action-bar")
    expect(bar).to_have_attribute("data-state", re.compile("your_turn|hand_over|waiting"))
    go_on()
    same_for_somebody_who_comes_now(page)


@only_desktop
def test_a_choice_that_does_not_get_through_is_sent_again_as_the_same(page: Page) -> None:
    come_to_a_turn(page)
    sent: list[Request] = []

    def lose_two(route: Route) -> None:
        sent.append(route.request)
        if len(sent) > 2:
            route.continue_()
        else:
            route.abort()

    page.route("**/actions", lose_two)
    before = told(page)
    click_check_or_call(page)
    expect(page.get_by_test_id("notice")).to_contain_text("sent again")
    ready_or_over(page)
    own_moves = [line for line in told(page)[len(before) :] if line.startswith("You ")]
    assert len({request.headers[KEY] for request in sent}) == 1
    assert len(sent) == 3
    assert len([line for line in own_moves if re.match("You (check|call)", line)]) == 1


def come_between_hands(page: Page) -> None:
    """Sit down, and play until the next hand can be asked for."""
    come_to_a_turn(page)
    finish_hand(page, give_up)
    expect(page.get_by_test_id("next-hand")).to_be_enabled()


@only_desktop
def test_a_hand_that_is_asked_for_again_keeps_its_part_in_the_shuffle(page: Page) -> None:
    come_between_hands(page)
    lost: list[Request] = []

    def lose(route: Route) -> None:
        lost.append(route.request)
        route.abort()

    page.route("**/next-hand", lose)
    with page.expect_event("requestfailed", lambda _: len(lost) > 1):
        page.get_by_test_id("next-hand").click()
    page.reload()
    page.unroute("**/next-hand")
    with page.expect_request("**/next-hand") as last:
        deal_next(page, page.get_by_test_id("next-hand").click)
    assert len({(request.headers[KEY], request.post_data) for request in lost}) == 1
    assert last.value.headers[KEY] != lost[0].headers[KEY]
    assert last.value.post_data_json == lost[0].post_data_json


@only_desktop
def test_the_deal_of_a_hand_whose_answer_was_lost_is_checked_in_full(page: Page) -> None:
    come_between_hands(page)

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/next-hand", lose_the_answer)
    title = page.get_by_role("heading", level=1)
    before = title.inner_text()
    page.get_by_test_id("next-hand").click()
    expect(title).not_to_have_text(before)
    page.goto("/history")
    page.get_by_test_id("history-hand").first.click()
    page.get_by_test_id("fair-deal-check").click()
    for name in ("root", "seed"):
        line = page.get_by_test_id(f"fair-deal-{name}")
        expect(line).to_have_attribute("data-checked", "true")


@only_desktop
def test_of_two_tabs_the_first_to_act_wins_and_the_other_is_told(page: Page) -> None:
    come_to_a_turn(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert not ready_or_over(other)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/actions", hold)
    click_check_or_call(page)
    expect(page.get_by_test_id("action-bar")).to_have_attribute("data-state", "sending")
    expect(page.get_by_role("region", name=re.compile("^You,"))).to_contain_text("sending")
    with other.expect_response("**/actions") as answered:
        click_check_or_call(other)
    assert answered.value.ok
    with page.expect_response("**/actions") as late:
        held[0].continue_()
    assert late.value.status == 409
    expect(page.get_by_test_id("notice")).to_contain_text("had passed already")
    same_for_somebody_who_comes_now(page)


@only_desktop
@pytest.mark.parametrize("service", ["engine", "bot"])
def test_a_service_that_dies_before_a_move_holds_it_up_and_no_more(
    page: Page, system: System, service: str
) -> None:
    come_to_a_turn(page)
    before = len(told(page))
    os.kill(system.pid_of(service), signal.SIGKILL)
    click_check_or_call(page)
    ready_or_over(page)
    assert len(told(page)) > before
    system.wait_ready()
    same_for_somebody_who_comes_now(page)


def let_time_run_out(system: System, match_id: str) -> None:
    """As if the player had been away for the whole 24 hours."""
    engine = open_engine(f"sqlite:///{system.home / 'tables.sqlite3'}")
    late = datetime.now(UTC) - timedelta(seconds=1)
    with engine.begin() as connection:
        ours = MATCHES.c.match_id == match_id
        connection.execute(sa.update(MATCHES).where(ours).values(kept_until=late))
    engine.dispose()


def match_of(page: Page) -> str:
    return str(page.request.get("/v1/matches/current").json()["match"]["id"])


def state_of(page: Page, match_id: str) -> str:
    return str(page.request.get(f"/v1/matches/{match_id}").json()["match"]["state"])


@only_desktop
def test_a_move_after_the_time_is_up_is_refused_with_the_reason(page: Page, system: System) -> None:
    come_to_a_turn(page)
    let_time_run_out(system, match_of(page))
    click_check_or_call(page)
    expect(page.get_by_role("dialog")).to_contain_text("its time was up")


def test_a_match_whose_time_ran_out_is_told_at_the_next_visit(page: Page, system: System) -> None:
    come_to_a_turn(page)
    finish_hand(page, click_check_or_call)
    match_id = match_of(page)
    page.goto("/help")
    let_time_run_out(system, match_id)
    until(lambda: state_of(page, match_id) == "settled", "the match is closed")
    page.goto("/")
    notice = page.get_by_test_id("match-notice")
    expect(notice).to_contain_text("settled because its time was up")
    notice.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("24 hours were up")
    expect(page.get_by_test_id("summary-result")).to_be_visible()
