/** Features of a Claude model: https://platform.claude.com/docs/en/about-claude/models */
export interface ClaudeModel {
  /** The name without a `-thinking` suffix. */
  readonly name: string
  /** True if the name has the suffix `-thinking`, which enables thinking. */
  readonly hasThinkingSuffix: boolean
  /** True if only the retired text completion endpoint served the model. */
  readonly isRetired: boolean
  /** Whether a request may contain both temperature and top_p, only one of them, or none. */
  readonly sampling: 'both' | 'one' | 'none'
  /** `budget` accepts a number of tokens, `adaptive` accepts an effort. */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** True if the model supports a JSON Schema for replies. */
  readonly supportsSchema: boolean
}

const SUFFIX = '-thinking'
/** Matches the version in names such as claude-3-5-sonnet, claude-opus-4-1-20250805 and claude-sonnet-4.5. */
const VERSION = /claude-(?:[a-z]+-)*(\d+)(?!\d)(?:[.-](\d{1,2})(?!\d))?/i

/**
 * Returns the features of a model by its name at Anthropic, Vertex AI or Bedrock. A Claude of an unknown version gets
 * the newest features. Models of other vendors get the features of OTHER_VENDOR_VERSION.
 */
export function claudeModel(modelName: string): ClaudeModel {
  // Models of other vendors may have the same suffix, such as kimi-k2-thinking.
  const hasThinkingSuffix = modelName.endsWith(SUFFIX) && isClaude(modelName)
  const name = hasThinkingSuffix ? modelName.slice(0, -SUFFIX.length) : modelName
  const version = versionOf(name)
  return {
    name,
    hasThinkingSuffix,
    isRetired: /^claude-(2|instant)/.test(name),
    sampling: version > 406 ? 'none' : version >= 401 ? 'one' : 'both',
    thinking: version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none',
    supportsSchema: version >= 405,
  }
}

/** Claude 3.7, which accepts every sampling field. */
const OTHER_VENDOR_VERSION = 307

/** Returns major × 100 + minor of the version, such as 405 for claude-sonnet-4-5. Infinity if the name has none. */
function versionOf(name: string): number {
  if (!isClaude(name)) return OTHER_VENDOR_VERSION
  const [, major, minor = '0'] = VERSION.exec(name) ?? []
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor)
}

function isClaude(name: string): boolean {
  return /claude/i.test(name)
}
