/** Minimum length of a cached text. For shorter texts, computing the value costs less than the lookup. */
const LENGTH_MIN = 64
/** Maximum length of a cached text, as a fraction of `lengthMax`. */
const FRACTION_MAX = 1 / 8

/**
 * Caches values that were computed from texts. Clients repeat texts, because each request of a conversation contains
 * the earlier messages, the instructions and the tools.
 *
 * The cache has two generations. When the newer generation reaches `lengthMax` UTF-16 code units, the older one is
 * dropped.
 */
export class RememberedTexts<Value extends number | object> {
  private recent = new Map<string, Value>()
  private older = new Map<string, Value>()
  private length = 0

  constructor(private readonly lengthMax: number) {}

  get(text: string): Value | undefined {
    if (!this.fits(text)) return undefined
    const value = this.recent.get(text)
    if (value !== undefined) return value
    const old = this.older.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, value: Value): void {
    if (!this.fits(text)) return
    if (this.recent.has(text)) this.length -= text.length
    else if (this.length + text.length > this.lengthMax) {
      this.older = this.recent
      this.recent = new Map()
      this.length = 0
    }
    this.recent.set(text, value)
    this.length += text.length
  }

  private fits({ length }: string): boolean {
    return length >= LENGTH_MIN && length <= this.lengthMax * FRACTION_MAX
  }
}
