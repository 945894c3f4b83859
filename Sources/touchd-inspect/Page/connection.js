// Sends requests to the inspector.

let token = "";

/** The token follows the # of the link, which browsers do not send; after a reload it is in this tab's session storage. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  token = given ?? sessionStorage.getItem("token") ?? "";
}

export async function ask(path, body) {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: {Authorization: `Bearer ${token}`, ...(body === undefined ? {} : {"Content-Type": "application/json"})},
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

/** Calls `take` with each event in turn, `opened` first; throws why there are no more. */
export async function follow(take) {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/events`, ["touchd", `touchd.token.${token}`]);
  let turn = Promise.resolve(), isOpen = false;
  socket.onopen = () => { isOpen = true; };
  socket.onmessage = ({data}) => {
    turn = turn.then(() => take(JSON.parse(data)));
    turn.catch(() => socket.close());
  };
  await new Promise((resolve) => { socket.onclose = resolve; });
  await turn;
  // A browser does not say why a WebSocket is refused; the same request without one is refused for the same reason.
  if (!isOpen) await ask("/api/events");
  throw new Error("touchd inspect has ended");
}
