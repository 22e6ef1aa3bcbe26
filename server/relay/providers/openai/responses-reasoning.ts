const MARK = ':responses:'

/**
 * Returns a Responses upstream's encrypted reasoning as a signature. The suffix distinguishes it from other vendors' signatures,
 * which this upstream rejects. The start does not change, because other providers recognize OpenAI's reasoning by its start.
 */
export function sealReasoning(id: string, encrypted: string): string {
  return `${encrypted}${MARK}${id}`
}

/** Reverses `sealReasoning`; undefined for any other signature. */
export function openReasoning(signature = ''): { id: string; encrypted: string } | undefined {
  const at = signature.lastIndexOf(MARK)
  return at < 0 ? undefined : { id: signature.slice(at + MARK.length), encrypted: signature.slice(0, at) }
}
