const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i

/**
 * Whether a text is a plain mail address: `name@domain` in ASCII, without quotes or comments. Databases agree on what is large and small only in ASCII, and an address must be unique in both.
 */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && LOCAL_PART.test(local) && DOMAIN.test(domain)
}
