const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i

/**
 * Returns whether a text is a plain mail address: `name@domain` in ASCII, without quotes or comments. Letters outside of
 * ASCII are rejected, because addresses must be unique regardless of case. SQLite and PostgreSQL fold the case of such
 * letters differently.
 */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && LOCAL_PART.test(local) && DOMAIN.test(domain)
}
