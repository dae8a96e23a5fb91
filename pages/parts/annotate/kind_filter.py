"""A box that filters a queue by properties of its entries, such as task and level. The page's URL contains the choice, so that
the choice survives a reload and can be shared as a link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.say import escape

Kind = TypeVar("Kind", bound=NamedTuple)


@dataclass(frozen=True, slots=True)
class KindFilter(Generic[Kind]):
    """The filter box of one page; `kind` builds a named tuple of the chosen values, where None stands for any value."""

    kind: Callable[..., Kind]
    key: str
    """Prefix of the widgets' keys."""
    things: str
    """Plural noun for the filtered things, such as "items"."""
    labels: Mapping[str, str]
    """Dict from field of `kind` to the label of its select box, in the order of the boxes."""
    describe: Callable[[str, Any], str]
    """Callback that returns the display text for a value of a field."""
    leave: Callable[[], None]
    """Callback that closes the item or variant on the screen, called when the filter changes."""

    def read_address(self, choices: Mapping[str, Sequence[Any]]) -> Kind:
        """Return the chosen values from the page's URL; a value that is not among `choices` counts as None."""
        values = {name: next((one for one in choices[name] if str(one) == read_word(name)), None) for name in self.labels}
        return self.kind(**values)

    def show(self, choices: Mapping[str, Sequence[Any]], kind: Kind) -> None:
        """Show the filter box with the current choice `kind`."""
        active = {name: value for name, value in kind._asdict().items() if value is not None}
        label = ", ".join(self.describe(name, value) for name, value in active.items()) or f"All {self.things}"
        with st.popover(escape(label), icon=":material/filter_list:", type="tertiary", width="content"):
            for name, title in self.labels.items():
                if choices[name]:
                    key = f"{self.key}_{name}"
                    st.session_state[key] = str(active.get(name, ""))
                    options = ["", *map(str, choices[name])]
                    words = partial(self._describe_option, name)
                    st.selectbox(title, options, key=key, on_change=self._choose, args=(name,), format_func=words)
            if active:
                st.button(f"Show all {self.things}", key=f"{self.key}_all", on_click=self.clear, width="stretch")

    def show_empty(self, sentence: str, key: str) -> None:
        """In place of an empty list, show a box with the given sentence and a button that removes the filter."""
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown(f"**{sentence}**", width="content")
            self.show_all_button(key)

    def show_all_button(self, key: str) -> None:
        """Show the button that removes the filter."""
        st.button(f"Show all {self.things}", key=key, icon=":material/filter_list_off:", on_click=self.clear)

    def clear(self) -> None:
        """Remove the filter, and close the item or variant on the screen."""
        self.leave()
        write_address(**dict.fromkeys(self.labels))

    def _choose(self, name: str) -> None:
        self.leave()
        write_address(**{name: st.session_state[f"{self.key}_{name}"]})

    def _describe_option(self, name: str, value: str) -> str:
        return self.describe(name, value) if value else f"Any {self.labels[name].lower()}"
