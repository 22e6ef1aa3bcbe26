import { Link } from '../router/link.tsx'

/** A request id, linked to the page that explains the request. */
export function RequestLink({ id }: { id: string }) {
  return (
    <Link className="request-link" to={requestPath(id)}>
      <code>{id}</code>
    </Link>
  )
}

/** Returns the path of the page that explains a request, of a team if given. */
export const requestPath = (id: string, team?: number): string =>
  `/request/${encodeURIComponent(id)}${team === undefined ? '' : `?team=${team}`}`

/** The suffix of gateway errors: `… (request id: 20261124093015a1b2c3d4e50000000042)`. */
const NAMED = /\(request id: ([\w-]{8,64})\)/

/** A gateway message that links its request id, if present. */
export function RequestText({ text }: { text: string }) {
  const match = NAMED.exec(text)
  const id = match?.[1]
  if (!match || id === undefined) return text
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  return (
    <>
      {before}(request id: <RequestLink id={id} />){after}
    </>
  )
}
