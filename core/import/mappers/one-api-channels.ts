/**
 * Tollgate's counterpart of a one-api channel type. `base` is an OpenAI-compatible address. `unservedName` is the name
 * of a type that has no counterpart.
 */
interface Counterpart {
  type: number
  base?: string
  unservedName?: string
}

const OPENAI = 1
/** Types 1 to 25 have the same numbers in Tollgate, except for the three resellers in BY_NUMBER. */
const COMMON_MAX = 25
const CUSTOM = 8

const BY_NUMBER: Readonly<Record<number, Counterpart>> = {
  2: { type: CUSTOM, base: 'https://oa.api2d.net' },
  4: { type: CUSTOM, base: 'https://api.closeai-proxy.xyz' },
  5: { type: CUSTOM, base: 'https://api.openai-sb.com' },
  26: { type: OPENAI, base: 'https://api.baichuan-ai.com' },
  27: { type: 35 },
  28: { type: 42 },
  29: { type: OPENAI, base: 'https://api.groq.com/openai/v1' },
  30: { type: 4 },
  31: { type: 31 },
  32: { type: OPENAI, base: 'https://api.stepfun.com' },
  33: { type: 33 },
  34: { type: 49 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  38: { type: OPENAI, unservedName: 'DeepL' },
  39: { type: OPENAI, base: 'https://api.together.xyz' },
  40: { type: 45 },
  41: { type: OPENAI, base: 'https://api.novita.ai/v3/openai' },
  42: { type: 41 },
  43: { type: OPENAI, unservedName: 'Proxy' },
  44: { type: 40 },
  45: { type: 48 },
  46: { type: OPENAI, unservedName: 'Replicate' },
  47: { type: 46 },
  48: { type: 18 },
  49: { type: 17 },
  50: { type: OPENAI },
  51: { type: OPENAI, base: 'https://generativelanguage.googleapis.com/v1beta/openai' },
}

const CHAT_PATH = '/v1/chat/completions'
/** The base URL of Groq in one-api. Tollgate needs it with the version. */
const GROQ_BASE = 'https://api.groq.com/openai'

/**
 * Returns the channel's type and base URL in Tollgate. If there is no counterpart, `unserved` is the reason, and the
 * channel must be disabled. `changedUrl` describes a changed base URL.
 */
export function oneApiChannel(
  type: number,
  base_url: string,
): { type: number; base_url: string; unserved?: string; changedUrl?: string } {
  const { base = '', unservedName, ...counterpart } = BY_NUMBER[type] ?? { type }
  if (unservedName !== undefined) {
    return {
      type: counterpart.type,
      base_url,
      unserved: `${unservedName} (one-api's type ${type}) has no counterpart: the channel is disabled`,
    }
  }
  if (type > COMMON_MAX && BY_NUMBER[type] === undefined) {
    return { type: OPENAI, base_url, unserved: `one-api's type ${type} is not known: the channel is disabled` }
  }
  const address = base_url === GROQ_BASE ? `${GROQ_BASE}/v1` : base_url || base
  if (counterpart.type === CUSTOM && address !== '' && !address.includes('completions')) {
    // A custom channel's address is the endpoint's full URL.
    return {
      type: CUSTOM,
      base_url: address + CHAT_PATH,
      changedUrl: `base_url is ${address + CHAT_PATH}: custom channels name their endpoint`,
    }
  }
  return { type: counterpart.type, base_url: address }
}

/** Maps the fields of one-api's config column for which Tollgate has equivalents. */
export function oneApiConfig(
  type: number,
  { key, other, config }: { key: string; other: string; config: Record<string, unknown> },
): { key: string; other: string } {
  const text = (name: string) => (typeof config[name] === 'string' ? config[name].trim() : '')
  if (type === 33) {
    const parts = [text('ak'), text('sk'), text('region')]
    return { key: parts.every((part) => part !== '') ? parts.join('|') : key, other }
  }
  if (type === 42) return { key: text('vertex_ai_adc') || key, other: text('region') || other }
  // The type determines which one of these fields is set.
  const filled = text('api_version') || text('plugin') || text('library_id') || text('user_id')
  return { key, other: other || filled }
}
