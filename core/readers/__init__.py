"""Readers, which convert the bytes of a file to a text with title and metadata. If a file or line cannot be read, the result is
an error message of one sentence."""

from core.readers.isolated import is_small as is_small
from core.readers.isolated import read_file as read_file
from core.readers.isolated import read_page as read_page
from core.readers.isolated import read_small as read_small
from core.readers.read import FORMATS as FORMATS
from core.readers.reading import MAX_DOCUMENT_CHARACTERS as MAX_DOCUMENT_CHARACTERS
from core.readers.reading import ReadDocument as ReadDocument
from core.readers.reading import RefusedFile as RefusedFile
