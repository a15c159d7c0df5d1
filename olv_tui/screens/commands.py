"""The commands of the palette: what the keys do, by name, and what has no key.

Rules of this file: a name says the key where there is one, so that the palette teaches it. An action is a method of
the main screen of that name.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command: its name, a few words about it, the action of the main screen."""

    name: str
    about: str
    action: str


COMMANDS = (
    Command("Send", "Send what is in the editor", "send"),
    Command("Resend", "Send the exchange shown again under a new id", "resend"),
    Command("Paste a report … (ctrl+t)", "curl, HAR, log, issue: load the call", "paste"),
    Command("Exactly as reported", "Without what was added for this server", "exact"),
    Command("Compare (d)", "With the expected answer, or the call before", "compare"),
    Command("Export … (e)", "As report, curl, HTTPie, Python, HAR, record", "export"),
    Command("Send several times …", "How often what comes, how long it takes", "repeat"),
    Command("Watch until it changes …", "Send again and again", "watch"),
    Command("Same call on another target …", "Both answers compared", "beside"),
    Command("Forget the expected answer", "Compare no more", "expect_nothing"),
    Command("Turn to another target …", "Known or by address", "switch_target"),
    Command("Mode (f2)", "Turn the editor between form, JSON and envelope", "mode"),
    Command("New request …", "Any method, from a list or typed", "new_request"),
    Command("Call a tool by name …", "Listed or not", "call_by_name"),
    Command("Envelope …", "Set id, version, more members and headers", "envelope"),
    Command("Break it …", "Break the request, to see how a server takes it", "break"),
    Command("Mend", "Take back what was broken", "mend"),
    Command("Fill the arguments … (f6)", "Templates, defaults, examples, used before, saved", "fill"),
    Command("Minimise the arguments …", "The least with the same error", "minimise"),
    Command("Complete", "What can stand at the cursor of the text", "complete"),
    Command("Format JSON", "Indent the text, every token as it is", "format"),
    Command("Compact JSON", "Take out white space between tokens", "compact"),
    Command("Answer", "Fill in what the answer shown asks for", "answer_input"),
    Command("Ask for progress", "Calls carry a progress token, or no more", "progress"),
    Command("Saved calls … (v)", "Load one of them into the editor", "saved_calls"),
    Command("Save this call as …", "Under a name, to be loaded again", "save_call"),
    Command("Back to my draft", "What was loaded over it is kept as well", "draft"),
    Command("Start over", "Give the editor a new text for this tool", "start_over"),
    Command("Edit outside", "Open the text in $VISUAL or $EDITOR", "external"),
    Command("List again", "Connect and list the tools again", "reconnect"),
    Command("Maximise", "Give the focused pane the screen, or take it back", "maximise"),
    Command("Copy as … (Y)", "Value, path, body, record, curl, report", "copy_as"),
    Command("Save … (s)", "Body, block, image or record into a file", "save"),
    Command("Picture (v)", "The pictures of the answer, in half cells", "picture"),
    Command("Pager (f3)", "The answer in $PAGER", "page"),
    Command("Open the whole body (o)", "The file of one beyond --max-body, in $PAGER", "open_file"),
    Command("Screenshot", "Write the screen as SVG", "screenshot"),
    Command("Help", "The focused pane and its keys", "help"),
)
