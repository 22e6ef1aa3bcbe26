const MARK = ':responses:'

/**
 * Stores a Responses upstream's encrypted reasoning as a signature. The suffix distinguishes it from other vendors'
 * signatures, which this upstream rejects; by the original start other providers recognize it as OpenAI's.
 */
export function sealReasoning(id: string, encrypted: string): string {
  return `${encrypted}${MARK}${id}`
}

/** Reverses `sealReasoning`; undefined for any other signature. */
export function openReasoning(signature = ''): { id: string; encrypted: string } | undefined {
  const at = signature.lastIndexOf(MARK)
  return at < 0 ? undefined : { id: signature.slice(at + MARK.length), encrypted: signature.slice(0, at) }
}
