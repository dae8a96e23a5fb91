"""Command-line verbs and their options for people, their accounts and their access tokens."""

from terminal.shared_options import PERSON, GroupMaker, VerbMaker

ROLES = ["annotator", "lead", "researcher", "admin", "guest"]
TOKEN_SCOPES = ["all", "metrics", "mcp"]
GUEST_RELEASE = "The only release that a guest may see; required for the role guest"


def add_people_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for people and access tokens."""
    people = group("people", "Manage the people of the workspace, and who may sign in.")
    verb("list", "people.list_people", "List everybody who has worked in the workspace, has a role, or may sign in.", people)
    _, add = verb("role", "people.give_role", "Give a person a role.", people)
    add("person", metavar="NAME", help=PERSON)
    add("role", choices=ROLES, help="New role of the person")
    add("--release", metavar="NAME", help=GUEST_RELEASE)
    _, add = verb(
        "invite",
        "people.invite",
        "Create a link with which one person can create an account; the link is shown only once.",
        people,
    )
    add("role", choices=ROLES, help="Role of the person who opens the link")
    add("--release", metavar="NAME", help=GUEST_RELEASE)
    add("--days", type=int, default=7, metavar="N", help="Days until the link expires; default: 7")
    add(
        "--for",
        dest="person",
        default="",
        metavar="NAME",
        help="Name of the new account; default: the person chooses it. Required for a name that already has decisions",
    )
    add(
        "--address",
        default="",
        metavar="URL",
        help="Address of the app in a browser; the printed link begins with this address",
    )
    verb("invites", "people.list_invites", "List the invites.", people)
    _, add = verb("revoke-invite", "people.revoke_invite", "Revoke an invite that nobody has used.", people)
    add("id", help="Id of the invite")
    _, add = verb("sign-out", "people.sign_out", "End all sessions of a person, in every browser.", people)
    add("person", metavar="NAME", help=PERSON)
    add("--tokens", action="store_true", help="Revoke the person's access tokens too")
    _, add = verb(
        "let-in", "people.let_in", "Allow a person to sign in through the proxy again, after their sessions were ended.", people
    )
    add("person", metavar="NAME", help=PERSON)
    _, add = verb(
        "remove-account", "people.remove_account", "Remove a person's account, sessions and tokens; their work stays.", people
    )
    add("person", metavar="NAME", help=PERSON)
    _, add = verb(
        "remove", "people.remove", "Remove a person from the workspace: sessions and tokens end, the work stays.", people
    )
    add("person", metavar="NAME", help=PERSON)
    _, add = verb(
        "bring-back", "people.bring_back", "Let a removed person work in the workspace again, with the former role.", people
    )
    add("person", metavar="NAME", help=PERSON)
    verb("without-roles", "people.turn_roles_off", "Remove all roles: everybody then has all permissions.", people)
    _, add = verb("sign-ins", "people.list_sign_ins", "List sign-ins and refused attempts, newest first.", people)
    add("--limit", type=int, default=50, metavar="N", help="List at most N sign-ins; default: 50")

    tokens = group("tokens", "Manage access tokens, with which scripts act as a person.")
    _, add = verb("create", "people.create_token", "Create an access token; the token is shown only once.", tokens)
    add("name", help="What the token is for")
    add("--as", dest="person", required=True, metavar="NAME", help="Name of the person for whom the script acts")
    add("--days", type=int, default=90, metavar="N", help="Days until the token expires; default: 90")
    add(
        "--scope",
        choices=TOKEN_SCOPES,
        default="all",
        help="What the token gives access to: all that the person may do, only the server's metrics, or only the tools for "
        "AI assistants; default: all",
    )
    _, add = verb("list", "people.list_tokens", "List the access tokens.", tokens)
    add("--as", dest="person", default="", metavar="NAME", help="Only tokens of this person")
    _, add = verb("revoke", "people.revoke_token", "Revoke an access token.", tokens)
    add("id", help="Id of the token")
