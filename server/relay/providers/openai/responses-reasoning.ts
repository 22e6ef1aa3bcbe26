const MARK = 'responses:'

/**
 * An encrypted thought of a Responses upstream as the signature of a neutral one. The mark tells it from other vendors'
 * signatures, which this upstream would refuse, as they would refuse this one.
 */
export function sealReasoning(id: string, encrypted: string): string {
  return `${MARK}${id}:${encrypted}`
}

/** What `sealReasoning` has put together; undefined for any other signature. */
export function openReasoning(signature: string | undefined): { id: string; encrypted: string } | undefined {
  if (!signature?.startsWith(MARK)) return undefined
  const at = signature.indexOf(':', MARK.length)
  return at < 0 ? undefined : { id: signature.slice(MARK.length, at), encrypted: signature.slice(at + 1) }
}
