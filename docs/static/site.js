// What is too wide scrolls, and must be in reach of the keyboard.
for (const box of document.querySelectorAll(".table-wrapper, .highlight pre")) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}
