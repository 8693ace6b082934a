enum SiteAssets {
  static let all = [("style.css", style), ("search.js", search)]

  private static let style = """
    :root {
      color-scheme: light dark;
      --paper: #fff; --ink: #1b1b1b; --faint: #595959; --line: #d9d9d9; --link: #0b57a4;
    }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #161616; --ink: #e6e6e6; --faint: #a6a6a6; --line: #3a3a3a; --link: #8ab8ee; }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0 auto; padding: 0 1rem 4rem; max-width: 44rem;
      background: var(--paper); color: var(--ink);
      font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere;
    }
    a { color: var(--link); text-underline-offset: .15em; }
    a:hover { text-decoration-thickness: 2px; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
    main:focus { outline: none; }
    h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.5em 0 .4em; }
    h1 { font-size: 1.75rem; margin-top: 1rem; }
    h2 { font-size: 1.25rem; }
    h3 { font-size: 1.125rem; }
    h4, h5, h6 { font-size: 1rem; }
    section > h2 { border-bottom: 1px solid var(--line); padding-bottom: .3em; }
    section > h2 a { color: inherit; text-decoration-thickness: 1px; }
    header, .days {
      display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline;
      justify-content: space-between; padding: .75rem 0; border-bottom: 1px solid var(--line);
    }
    .days { border: 0; border-top: 1px solid var(--line); margin-top: 2.5rem; }
    .site { margin: 0; font-weight: 700; }
    .site a { color: inherit; text-decoration: none; }
    nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
    nav a { display: inline-block; padding: .25rem 0; }
    article { margin: 1.75rem 0; }
    article > h2, article > h3 { margin: 0 0 .2em; }
    article p { margin: .5em 0; }
    .meta, .more, .files, .count { color: var(--faint); font-size: .9375rem; }
    .meta a { display: inline-block; padding: .15rem 0; }
    .text img { max-width: 100%; height: auto; }
    .text figure { margin: 1em 0; }
    .text pre, .wide { overflow-x: auto; }
    .text pre { padding: .75rem; border: 1px solid var(--line); font-size: .9375rem; }
    .text blockquote { margin: 1em 0; padding-left: 1rem; border-left: 3px solid var(--line); }
    table { border-collapse: collapse; }
    th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; overflow-wrap: normal; }
    .search { margin: 1rem 0; }
    .search input {
      font: inherit; color: inherit; background: var(--paper); width: 100%; margin-top: .25rem;
      padding: .5rem; border: 1px solid var(--faint); border-radius: 4px;
    }
    .unseen, .skip:not(:focus) {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    .skip:focus { display: block; padding: .75rem 0; }
    @media print { header nav, .days, .search, .more { display: none; } }

    """

  /// The script that finds stories in a page, which lacks nothing else without it.
  private static let search = #"""
    "use strict";
    (() => {
      const stories = [...document.querySelectorAll("article")];
      const heading = document.querySelector("main > h1");
      if (stories.length < 2 || !heading) return;
      const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      const box = document.createElement("div");
      const label = document.createElement("label");
      const input = document.createElement("input");
      const count = document.createElement("p");
      box.className = "search";
      box.setAttribute("role", "search");
      label.textContent = "Find on this page";
      label.htmlFor = input.id = "find";
      input.type = "search";
      count.className = "count";
      count.setAttribute("role", "status");
      box.append(label, input, count);
      heading.after(box);
      let texts;
      const find = () => {
        texts ??= stories.map((story) => fold(story.textContent));
        const words = fold(input.value).split(/\s+/).filter(Boolean);
        let found = 0;
        stories.forEach((story, index) => {
          story.hidden = !words.every((word) => texts[index].includes(word));
          if (!story.hidden) found += 1;
        });
        for (const section of document.querySelectorAll("main > section")) {
          section.hidden = !section.querySelector("article:not([hidden])");
        }
        count.textContent = words.length ? `${found} of ${stories.length} stories` : "";
      };
      input.addEventListener("input", find);
      if (input.value) find();
    })();

    """#
}
