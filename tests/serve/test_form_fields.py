"""The reading of a question as fields: shown as read, changed by hand, told where it makes none."""

from __future__ import annotations

import pytest

from osler.ask.form.form import Concept, Form, Time, Value, What, Who
from osler.errors import InputError
from osler.serve.form_fields import changed, fields_of

FORM = Form(
    "facts",
    Who(("p1",), "Ann"),
    What(("medication",), Concept("statin", "medication"), when="now", time=Time("2020-01-01")),
)


def test_fields_hold_what_was_read():
    values = {field.name: field.value for field in fields_of(FORM)}
    assert values["f_answer"] == "facts"
    assert values["f_when"] == "now"
    assert values["f_first"] == "2020-01-01"
    assert values["f_compare"] == values["f_number"] == ""
    assert all(f.value in f.choices for f in fields_of(FORM) if f.choices)
    assert [f.name for f in fields_of(Form("person", Who(("p1",))))] == ["f_answer"]


def test_nothing_changed_is_the_same_form():
    assert changed(FORM, {"q": "x"}) == FORM
    assert changed(FORM, {field.name: field.value for field in fields_of(FORM)}) == FORM


def test_what_a_person_changes_is_asked():
    given = {field.name: field.value for field in fields_of(FORM)}
    given.update(f_when="past", f_first="", f_last="2021-05-01", f_pick="latest")
    given.update(f_compare=">", f_number="7.5", f_answer="values")
    what = changed(FORM, given).what
    assert what is not None
    assert (what.when, what.pick, what.time) == ("past", "latest", Time("", "2021-05-01"))
    assert what.value == Value(">", 7.5)
    assert what.concept == FORM.what.concept  # type: ignore[union-attr]
    assert changed(FORM, given).answer == "values"
    given.update(f_compare="", f_first="", f_last="")
    plain = changed(FORM, given).what
    assert plain is not None
    assert plain.value is None
    assert plain.time is None


@pytest.mark.parametrize(
    "given",
    [{"f_when": "someday"}, {"f_answer": "poem"}, {"f_compare": ">", "f_number": "much"}],
)
def test_fields_that_make_no_question_are_told(given):
    with pytest.raises(InputError):
        changed(FORM, given)
