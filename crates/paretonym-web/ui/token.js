// @ts-check
// The token that the server asks for. It comes with the address, is kept for this tab alone, and leaves the address bar and
// the history at once. It is sent in a header: unlike a cookie, no other page and no other port ever gets it.

const KEY = "token";

/** @returns {string} */
function take() {
  const query = new URLSearchParams(location.search);
  const given = query.get("token");
  if (given === null) {
    try {
      return sessionStorage.getItem(KEY) ?? "";
    } catch {
      return "";
    }
  }
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // A browser without a session store: the page works until it is loaded again.
  }
  query.delete("token");
  const rest = query.size ? `?${query}` : "";
  history.replaceState(history.state, "", `${location.pathname}${rest}${location.hash}`);
  return given;
}

const token = take();

/** What every request carries. @returns {Record<string, string>} */
export const identified = () => (token ? { "X-Paretonym-Token": token } : {});
