"""How the documentation is built: `make docs`.  It needs no network."""

import ast
import os
import re
import sys
import textwrap
from collections.abc import Collection
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tools")]

import contract_pages
from docutils import nodes
from sphinx.addnodes import desc, desc_annotation, index
from sphinx.util.nodes import make_refnode

project = "status-contracts"
author = "The status-contracts authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx reads this name
version = release = installed_version("status-contracts")
_TAG: Final = f"v{version}" if re.fullmatch(r"[\d.]+", version) else "main"

extensions = [
    "myst_nb",
    "code_pages",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinxext.opengraph",
]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "force"  # outputs depend on the library, not on the cells alone
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
copybutton_prompt_text = r"\$ |> "  # copies the commands of a console, not their output
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
copybutton_selector = "div:not(.highlight-default, .highlight-text) > .highlight pre"
# No buttons on trees, diagrams and output.

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_class_signature = "mixed"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
default_role = "code"
smartquotes = False  # quotes and dashes of messages are copied into settings and commands

html_theme = "furo"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["notebooks.css", "reading.css"]
html_js_files = ["reading.js"]
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_title = project if _TAG == "main" else f"{project} {version}"
html_favicon = "_static/icon.svg"
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
# Title, description and picture of shared links.
ogp_site_url = html_baseurl or "https://status-contracts.readthedocs.io/en/latest/"
ogp_social_cards = {"enable": False}
ogp_image = "_static/social.png"
ogp_enable_meta_description = False  # _describe does it
ogp_custom_meta_tags = ['<meta name="twitter:card" content="summary_large_image">']
html_theme_options = {
    "dark_css_variables": {  # on the background of dark pictures
        "color-background-primary": "#0d1117",
        "color-background-secondary": "#161b22",
        "color-code-background": "#161b22",
        "color-background-border": "#30363d",
        "picture-filter": "invert(1) hue-rotate(180deg)",
    },
    "announcement": "products",  # the template page.html shows them
    "source_repository": "https://github.com/status-contracts/status-contracts/",
    "source_branch": _TAG,
    "source_directory": "docs/",
}
html_copy_source = False
html_show_sourcelink = False

_DOCS: Final = Path(__file__).parent
_REPOSITORY: Final = "https://github.com/status-contracts/status-contracts/"
_PICTURE: Final = re.compile(
    r'(?:<a href="(?P<page>[^"]*)">\s*)?'
    r'<picture>\s*<source [^>]*srcset="(?P<dark>(?!https:)[^"]*)">'
    r'\s*<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]*)"[^>]*>\s*</picture>(?:\s*</a>)?'
)
_LONGEST_VALUE: Final = 300
_LONGEST_DESCRIPTION: Final = 200
_NAMELESS: Final = re.compile(r"=(?:NOTHING|<function <lambda>>)")
_FUNCTION: Final = re.compile(r"=<function (\w+)>")
_OBJECT: Final = re.compile(r"=<(\w+)[^>]*>")
_LONGEST_DEFAULT: Final = 30
_COMMENT: Final = re.compile(r"^<!---.*?-->$", re.DOTALL | re.MULTILINE)
_RULE: Final = re.compile(r"^\*\*([A-Z]{2}-[A-Z]+-\d\d)\*\*", re.MULTILINE)
_MODULE: Final = re.compile(r"^(?:[a-z_]+\.)+(?=[A-Z])")
_PAGE: Final = re.compile(r"\]\((?!\.\.)([^)#:]+)\.md\)")
_LINK: Final = re.compile(r"(?<=\]\()(?![a-z]+:)([^)#\s]+)(?=[)#])")


def _list_pages(app: "Sphinx", name: str, source: list[str]) -> None:
    """Let the side bar list the pages that each section of the first page leads to.

    What follows the line *Reference:* has that caption.
    """
    if name != app.config.root_doc:
        return
    start, *sections = source[0].split("\n## ")
    listed: set[str] = set()
    for section in sections:
        start += f"\n## {section}\n"
        guides, _, reference = section.partition("\nReference:")
        for caption, text in ((section.partition("\n")[0], guides), ("Reference", reference)):
            pages = [page for page in dict.fromkeys(_PAGE.findall(text)) if page not in listed]
            listed.update(pages)
            if pages:
                entries = "\n".join(pages)
                start += f"```{{toctree}}\n:caption: {caption}\n:hidden:\n\n{entries}\n```\n"
    source[0] = start


def _append_the_contract(_app: "Sphinx", name: str, source: list[str]) -> None:
    """Append the resources and rules of a product to the introduction of its contract."""
    for product, page in contract_pages.PAGES.items():
        if name == f"contract/{page.removesuffix('.md')}":
            source[0] += f"\n{contract_pages.text(product)}"


def _link_to_repository(_app: "Sphinx", name: str, source: list[str]) -> None:
    """Turn links to files outside of `docs/` into links to the repository."""
    folder = (_DOCS / name).parent

    def absolute(found: re.Match[str]) -> str:
        target = (folder / found[1]).resolve()
        if target.is_relative_to(_DOCS):
            return found[1]
        kind = "tree" if target.is_dir() else "blob"
        return f"{_REPOSITORY}{kind}/{_TAG}/{target.relative_to(_DOCS.parent).as_posix()}"

    source[0] = _LINK.sub(absolute, source[0])


def _anchor_rules(_app: "Sphinx", name: str, source: list[str]) -> None:
    """Make the id of each rule of a contract an anchor and a link to it: `#ds-http-01`."""

    def anchor(found: re.Match[str]) -> str:
        name = found[1].lower()
        return f'<a id="{name}" href="#{name}">{found[0]}</a>'

    if name.startswith("contract/"):
        source[0] = _RULE.sub(anchor, source[0])


def _follow_the_theme(_app: "Sphinx", name: str, source: list[str]) -> None:
    """Turn pictures in two schemes into images that follow the theme which a reader chose.

    On a phone their narrow files are shown; a picture without one leads to its file.  What is
    hidden is no link, and all images are in the link of a picture: a keyboard stops once.
    """
    folder = (_DOCS / name).parent

    def image(alt: str, path: str, classes: str, *, linked: bool) -> str:
        narrow = re.sub(r"((?:-dark)?\.\w+)$", r"-narrow\1", path)
        if (folder / narrow).exists():
            return f"![{alt}]({path}){{{classes} .wide}}![{alt}]({narrow}){{{classes} .narrow}}"
        if linked:
            return f"![{alt}]({path}){{{classes}}}"
        target = f"{'../' * name.count('/')}_images/{Path(path).name}"
        return f'<a class="{classes[1:]}" href="{target}">![{alt}]({path})</a>'

    def both(found: re.Match[str]) -> str:
        page = found["page"]
        shown = "".join(
            image(found["alt"], found[theme], f".only-{theme}", linked=bool(page))
            for theme in ("light", "dark")
        )
        return f"[{shown}]({page})" if page else shown

    source[0] = _PICTURE.sub(both, source[0])


def _leave_out_tests(_app: "Sphinx", _name: str, source: list[str]) -> None:
    """Leave out the comments, which have the invisible code of tests."""
    source[0] = _COMMENT.sub("", source[0])


def _describe(app: "Sphinx", tree: nodes.document) -> None:
    """Describe a page to search engines and in previews of links by its first paragraph."""
    for paragraph in list(tree.findall(nodes.paragraph))[:1]:
        text = textwrap.shorten(paragraph.astext(), _LONGEST_DESCRIPTION, placeholder=" ...")
        app.env.metadata[app.env.docname]["og:description"] = text
        tree += nodes.meta("", name="description", content=text)


def _leave_out_long_values(_app: "Sphinx", tree: nodes.document) -> None:
    """Leave out the values of constants that would be a paragraph or more."""
    for value in list(tree.findall(desc_annotation)):
        if value.astext().startswith(" = ") and len(value.astext()) > _LONGEST_VALUE:
            value.parent.remove(value)


def _separate_invariants(
    _app: "Sphinx", _kind: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Give each invariant of a module a paragraph."""
    lines[:] = "\n".join(lines).replace("\nInvariant *", "\n\nInvariant *").split("\n")


def _shorten_defaults(
    _app: "Sphinx",
    _kind: str,
    _name: str,
    _value: object,
    _options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str, str | None] | None:
    """Show functions by their names, and of a long default its kind: `Rules(...)`, `{...}`."""
    text = _NAMELESS.sub("=...", signature or "")
    text = _OBJECT.sub(r"=\1(...)", _FUNCTION.sub(r"=\1", text))
    if "=" not in text or "\n" in text:  # a line for each form of an overloaded function
        return None
    arguments = ast.parse(f"def function{text}: ...").body[0].args  # type: ignore[attr-defined]
    for defaults in (arguments.defaults, arguments.kw_defaults):
        defaults[:] = [one and _shorten(one) for one in defaults]
    return f"({ast.unparse(arguments)})", returned


def _shorten(default: ast.expr) -> ast.expr:
    if len(ast.unparse(default)) < _LONGEST_DEFAULT:
        return default
    start = ast.unparse(default.func) if isinstance(default, ast.Call) else ""
    return ast.Name(f"{start}(...)" if start else "{...}")


def _name_fields(_app: "Sphinx", tree: nodes.document) -> None:
    """Write *Attributes* for variables, names of types without modules, a dash for two hyphens."""
    for fields in tree.findall(nodes.field_list):
        for name in fields.findall(nodes.field_name):
            if name.astext() == "Variables":
                name[:] = [nodes.Text("Attributes")]
        for text in list(fields.findall(nodes.Text)):
            shown = text.replace(" -- ", " – ")  # noqa: RUF001
            if isinstance(text.parent, nodes.emphasis):
                shown = _MODULE.sub("", shown)
            text.parent.replace(text, nodes.Text(shown))


def _link_names(app: "Sphinx", tree: nodes.document, page: str) -> None:
    """Link the names in the text of a module to their descriptions, also on another page."""
    names, module = app.env.get_domain("py").data["objects"], ""
    for part in [part for section in tree.findall(nodes.section) for part in section]:
        if isinstance(part, index) and part["entries"][0][2].startswith("module-"):
            module = part["entries"][0][2].removeprefix("module-")
        if not module or isinstance(part, desc | nodes.section):
            continue
        for literal in list(part.findall(nodes.literal)):
            name = literal["classes"] and _described(literal.astext(), module, names)
            if name:
                to, shown = names[name], literal.deepcopy()
                link = make_refnode(app.builder, page, to.docname, to.node_id, shown)
                literal.replace_self(link)


def _described(text: str, module: str, names: Collection[str]) -> str | None:
    """Return what a module means by a name: a package lists those of its modules, too."""
    ends = [] if "." in module else sorted(name for name in names if name.endswith(f".{text}"))
    found = (name for name in (f"{module}.{text}", text, *ends) if name in names)
    return next((name for name in found if name.startswith((module, "status_contracts"))), None)


def setup(app: "Sphinx") -> None:
    """Connect to the events of the build."""
    app.connect("source-read", _leave_out_tests)
    app.connect("source-read", _list_pages)
    app.connect("source-read", _append_the_contract)
    app.connect("source-read", _link_to_repository)
    app.connect("source-read", _anchor_rules)
    app.connect("source-read", _follow_the_theme)
    app.connect("autodoc-process-docstring", _separate_invariants)
    app.connect("autodoc-process-signature", _shorten_defaults)
    app.connect("doctree-read", _describe)
    app.connect("doctree-read", _leave_out_long_values)
    app.connect("doctree-read", _name_fields)
    app.connect("doctree-resolved", _link_names)
