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
