"""What the app needs from libraries, imported once in the process from which tests/forked_app.py forks it. Pages are not among
it: their components belong to a server that is at work."""

import duckdb  # noqa: F401
import pandas  # noqa: F401
import pyarrow  # noqa: F401
import streamlit.components.v2.manifest_scanner
import streamlit.web.bootstrap
import streamlit.web.cli
import streamlit.web.server.starlette
import uvicorn  # noqa: F401

import jobs  # noqa: F401
import serving.lifespan
import serving.preloading
import serving.routes
import tests.package_components  # noqa: F401
import workbench  # noqa: F401

serving.preloading.load()
streamlit.components.v2.manifest_scanner.scan_component_manifests()
