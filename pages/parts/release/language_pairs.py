"""Pair items that ask the same in two languages, and see which pairs the next release has."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import guard, person_name
from pages.parts.ui.say import count_things, escape, show_error, show_success
from workbench import open_workbench
