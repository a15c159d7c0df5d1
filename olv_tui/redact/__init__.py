"""What is a secret, and the mask that stands in its place: `‹hidden 3f9a1c›`.

Rules of this file:

* One list of names decides (`is_secret_name`, `is_secret_parameter`): screen, history, records and exports use it.
* The mask carries six hex digits of an HMAC of the secret with the key of the installation, so equal secrets
  look equal and none can be guessed back. A mask is never masked again: redacting twice is redacting once.
* Known values are found wherever they occur, also with JSON or percent escapes, in base64 and in hexadecimal.
* What is typed into a call under a secret name (arguments.py) is masked as the call is kept.
* What holds no secret comes back as the same object. An answer of 50 MB is searched (about 10 ms for each value
  looked for) and not copied.
* Nothing raises, whatever stands in a URL, a header or a body.

names.py is the list of names and the values that stand under them, search.py finds known values in any form,
known.py masks them, redactor.py whole exchanges with all of these, leaves.py goes through JSON values.
"""

from .arguments import is_secret_argument
from .leaves import map_leaves
from .names import SHORTEST, is_secret_name, is_secret_parameter, secret_variables, secrets_in
from .redactor import Redactor, is_changed
from .search import MASK

__all__ = [
    "MASK",
    "SHORTEST",
    "Redactor",
    "is_changed",
    "is_secret_argument",
    "is_secret_name",
    "is_secret_parameter",
    "map_leaves",
    "secret_variables",
    "secrets_in",
]
