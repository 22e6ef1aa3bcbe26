const MARK = ':responses:'

/**
 * Returns a Responses upstream's encrypted reasoning as a signature. A suffix marks its origin, because upstreams
 * reject other vendors' signatures. The start does not change, because other providers recognize OpenAI's reasoning by
 * it.
 */
export function encodeReasoning(id: string, encrypted: string): string {
  return `${encrypted}${MARK}${id}`
}

/** Reverses `encodeReasoning`. Returns undefined for any other signature. */
export function decodeReasoning(signature = ''): { id: string; encrypted: string } | undefined {
  const at = signature.lastIndexOf(MARK)
  return at < 0 ? undefined : { id: signature.slice(at + MARK.length), encrypted: signature.slice(0, at) }
}
