import type { ErrorKind } from '../../core/errors.ts'
import { ServerError } from '../errors.ts'

const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
  501: 'not_implemented',
  502: 'upstream',
  503: 'unavailable',
  504: 'upstream',
}

/** Converts a relay error `{error: {message, code}}`. Returns undefined for other documents. */
export function relayErrorOf(status: number, document: Record<string, unknown> | undefined): ServerError | undefined {
  const error = document?.error
  if (typeof error !== 'object' || error === null) return undefined
  const { message, code } = error as { message?: unknown; code?: unknown }
  if (typeof message !== 'string') return undefined
  const name = typeof code === 'string' && code !== '' ? code : 'REFUSED'
  return new ServerError(name, kindOf(status, name), message)
}

function kindOf(status: number, code: string): ErrorKind {
  // An exhausted quota is not a permission error.
  if (status === 403 && /quota/.test(code)) return 'insufficient'
  return KIND_OF_STATUS[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'upstream')
}
