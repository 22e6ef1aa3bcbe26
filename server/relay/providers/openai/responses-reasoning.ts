const MARK = ':responses:'

/**
 * An encrypted thought of a Responses upstream as the signature of a neutral one. Its end tells it from other vendors'
 * signatures, which this upstream would refuse; its beginning is the upstream's, by which others know it for OpenAI's.
 */
export function sealReasoning(id: string, encrypted: string): string {
  return `${encrypted}${MARK}${id}`
}

/** What `sealReasoning` has put together; undefined for any other signature. */
export function openReasoning(signature = ''): { id: string; encrypted: string } | undefined {
  const at = signature.lastIndexOf(MARK)
  return at < 0 ? undefined : { id: signature.slice(at + MARK.length), encrypted: signature.slice(0, at) }
}
