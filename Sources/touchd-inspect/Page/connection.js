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

/** Reads server-sent events, `opened` first; EventSource cannot send the token. */
export async function* events() {
  const response = await fetch("/api/events", {headers: {Authorization: `Bearer ${token}`}});
  if (!response.ok) throw new Error((await response.text()).trim());
  yield {event: "opened"};
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const {value, done} = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice(6));
  }
}
