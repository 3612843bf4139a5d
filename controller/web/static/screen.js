// How this screen is set, apart from the table: light or dark, and its language. Each screen keeps its own.

const KEPT = "tablectl-screen";
export const THEMES = [["", "As the screen is set"], ["light", "Light"], ["dark", "Dark"]];
export const LANGUAGES = [["en", "English"], ["zh", "简体中文"]];

// What was chosen here before, or in the address with which a kiosk opens its page.
export function chosen() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch (error) {
    kept = {};
  }
  const asked = new URLSearchParams(location.search);
  return { theme: asked.get("theme") ?? kept.theme ?? "", language: asked.get("language") ?? kept.language ?? "en" };
}

export function choose(change) {
  localStorage.setItem(KEPT, JSON.stringify({ ...chosen(), ...change }));
  const address = new URL(location.href);
  for (const name of Object.keys(change)) address.searchParams.delete(name);
  history.replaceState(null, "", address);
}

export function wearTheme(theme = chosen().theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
