// How the page of Page.h looks. `--c` is a fragment's colour, set by the classes f0, f1, …
#pragma once

namespace fdg::compiler {

constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1f27; --quiet: #5b6472; --line: #d8dde5;
  --raised: #f5f7fa; --yes: #166534; --no: #9f1239; --tint: 15%; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171c; --ink: #e4e8ee; --quiet: #9aa4b2; --line: #353c47; --raised: #1e232b;
    --yes: #86d9a5; --no: #fda4af; --tint: 32%; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
p { margin: .25rem 0; }
a { color: inherit; }
code, .source td, .source th { font: 13px/1.55 ui-monospace, "DejaVu Sans Mono", monospace; }
.quiet { color: var(--quiet); }
.badge { display: inline-block; padding: 0 .55em; border-radius: .8em; background: var(--c); color: #fff;
  font: 600 12px/1.6 system-ui, sans-serif; white-space: nowrap; }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .75rem;
  margin: 0; padding: 0; list-style: none; }
.legend > li { padding: .6rem .75rem; border: 1px solid var(--line); border-left: 5px solid var(--c);
  border-radius: 4px; }
.marks-key { margin: .9rem 0 0; padding: 0; list-style: none; }
.marks-key > li { margin: .3rem 0; }
.sample { display: inline-block; width: 11rem; margin-right: .6rem; padding-left: .5rem; }
.source { width: 100%; border-collapse: collapse; }
.source th, .source td { padding: 0 .6rem; border: 0; text-align: left; vertical-align: top;
  font-weight: 400; }
.source .number { width: 1%; padding-right: .8rem; text-align: right; color: var(--quiet); }
.source .who { width: 1%; white-space: nowrap; }
.source .code { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 5px solid transparent; }
.owned .code, .sample.owned { background: color-mix(in srgb, var(--c) var(--tint), var(--paper));
  border-left: 5px solid var(--c); }
.copied .code, .sample.copied { border-left: 5px dashed var(--quiet);
  background: color-mix(in srgb, var(--quiet) 9%, var(--paper)); font-style: italic; }
.crossing .code, .sample.crossing { border-left: 5px double var(--quiet); }
.dots { white-space: nowrap; }
.dot { display: inline-block; width: .7em; height: .7em; margin-right: .15em; border-radius: 50%;
  background: var(--c); }
.mark { position: relative; display: inline-block; margin: .15rem .4rem .3rem 0; padding: .05rem .55rem;
  border: 1.5px solid var(--c); border-radius: 4px; background: var(--raised); font: 12.5px/1.5 system-ui,
  sans-serif; font-style: normal; white-space: normal; cursor: help; }
.mark.loose { border-style: dashed; }
.mark.choice { border-style: dotted; border-width: 2px; }
.mark:focus-visible { outline: 2px solid var(--ink); outline-offset: 1px; }
.marks { display: block; }
.tip { display: none; position: absolute; z-index: 1; top: calc(100% + 2px); left: -1px;
  width: max-content; max-width: min(38rem, 80vw); padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: 4px; background: var(--raised); box-shadow: 0 4px 14px rgb(0 0 0 / 25%); cursor: auto; }
.mark:hover > .tip, .mark:focus > .tip, .mark:focus-within > .tip { display: block; }
.dismissed .tip { display: none !important; }
.fact { display: block; }
.yes { color: var(--yes); font-weight: 600; }
.no { color: var(--no); font-weight: 600; }
.facts { width: 100%; border-collapse: collapse; }
.facts th, .facts td { padding: .35rem .6rem; border-top: 1px solid var(--line); text-align: left;
  vertical-align: top; font-weight: 400; }
.facts thead th { font-weight: 600; border-top: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
tr:target .number { color: var(--ink); font-weight: 700; }
@media print { .tip { display: none !important; } }
)css";

/// Escape hides what hovers until the pointer or the focus moves on.
constexpr const char* kPageScript = R"js(
const page = document.documentElement;
addEventListener('keydown', event => { if (event.key === 'Escape') page.classList.add('dismissed'); });
for (const moved of ['mouseover', 'focusin']) {
  addEventListener(moved, () => page.classList.remove('dismissed'));
}
)js";

}  // namespace fdg::compiler
