/** Features of a Claude model: https://platform.claude.com/docs/en/about-claude/models */
export interface ClaudeModel {
  /** The name without a `-thinking` suffix. */
  readonly name: string
  /** true: the name has the `-thinking` suffix, which enables thinking. */
  readonly thinkingSuffix: boolean
  /** true: only the retired text completion endpoint served the model. */
  readonly retired: boolean
  /** Whether a request may contain both temperature and top_p, one of them, or neither. */
  readonly sampling: 'both' | 'one' | 'none'
  /** `adaptive` accepts an effort, `budget` a number of tokens. */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** true: the model supports a JSON Schema for replies. */
  readonly schema: boolean
}

const SUFFIX = '-thinking'
/** Matches names such as claude-3-5-sonnet, claude-opus-4-1-20250805 and claude-sonnet-4.5. A date is not a minor version. */
const VERSION = /claude-(?:[a-z]+-)*(\d+)(?!\d)(?:[.-](\d{1,2})(?!\d))?/i

/**
 * Returns the features of a model by its name, also in the spelling of Vertex AI and Bedrock. A Claude of unknown version gets
 * the newest features. Other vendors' models, which upstreams of this format may serve, get those of OTHER_VENDOR_VERSION.
 */
export function claudeModel(modelName: string): ClaudeModel {
  // Other vendors use this suffix too: kimi-k2-thinking.
  const thinkingSuffix = modelName.endsWith(SUFFIX) && isClaude(modelName)
  const name = thinkingSuffix ? modelName.slice(0, -SUFFIX.length) : modelName
  const version = versionOf(name)
  return {
    name,
    thinkingSuffix,
    retired: /^claude-(2|instant)/.test(name),
    sampling: version > 406 ? 'none' : version >= 401 ? 'one' : 'both',
    thinking: version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none',
    schema: version >= 405,
  }
}

/** Version whose features other vendors' models get: Claude 3.7, which accepts every sampling field. */
const OTHER_VENDOR_VERSION = 307

/** Returns 405 for claude-sonnet-4-5, so that 4.10 is above 4.9. Infinity if the name has no version. */
function versionOf(name: string): number {
  if (!isClaude(name)) return OTHER_VENDOR_VERSION
  const [, major, minor = '0'] = VERSION.exec(name) ?? []
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor)
}

function isClaude(name: string): boolean {
  return /claude/i.test(name)
}
