import { Link } from '../router/link.tsx'

/** A request id with a link to the page that explains the request. */
export function RequestLink({ id }: { id: string }) {
  return (
    <Link className="request-link" to={requestPath(id)}>
      <code>{id}</code>
    </Link>
  )
}

/** Returns the path of the page that explains a request. `team` is the id of the team that sent the request, if any. */
export const requestPath = (id: string, team?: number): string =>
  `/request/${encodeURIComponent(id)}${team === undefined ? '' : `?team=${team}`}`

/** Matches the suffix of gateway errors: `… (request id: 20261124093015a1b2c3d4e50000000042)`. */
const REQUEST_ID_SUFFIX = /\(request id: ([\w-]{8,64})\)/

/** A message of the gateway. If it contains a request id, the id is a link. */
export function RequestText({ text }: { text: string }) {
  const match = REQUEST_ID_SUFFIX.exec(text)
  const id = match?.[1]
  if (!match || id === undefined) return text
  const [textBefore, textAfter] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  return (
    <>
      {textBefore}(request id: <RequestLink id={id} />){textAfter}
    </>
  )
}
