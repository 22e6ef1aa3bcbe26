/** What one generation of Claude takes: https://platform.claude.com/docs/en/about-claude/models */
export interface ClaudeModel {
  /** The name without a `-thinking` suffix. */
  readonly name: string
  /** The suffix asks for thoughts. */
  readonly thinkingSuffix: boolean
  /** Served by nothing but the retired text completion endpoint. */
  readonly retired: boolean
  /** Which of temperature and top_p may be sent: both, one of them, or neither. */
  readonly sampling: 'both' | 'one' | 'none'
  /** `adaptive` takes an effort, `budget` a number of tokens. */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** The reply can be held to a JSON Schema. */
  readonly schema: boolean
}

const SUFFIX = '-thinking'
/** claude-3-5-sonnet-…, claude-opus-4-1-20250805, claude-sonnet-4.5, us.anthropic.claude-…, but no date for a minor version. */
const VERSION = /claude-(?:[a-z]+-)*(\d+)(?!\d)(?:[.-](\d{1,2})(?!\d))?/i

/**
 * The rules for a model, told by its name; also as Vertex and Bedrock spell it. A Claude of no known version is taken for a
 * new one; what is no Claude at all, behind an address that speaks this format, takes everything.
 */
export function claudeModel(named: string): ClaudeModel {
  // Other vendors have models whose names end like that: kimi-k2-thinking.
  const thinkingSuffix = named.endsWith(SUFFIX) && isClaude(named)
  const name = thinkingSuffix ? named.slice(0, -SUFFIX.length) : named
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

/** What is no Claude is treated like the last generation that takes everything. */
const FOREIGN = 307

/** 405 for claude-sonnet-4-5, so that 4.10 comes after 4.9. */
function versionOf(name: string): number {
  if (!isClaude(name)) return FOREIGN
  const [, major, minor = '0'] = VERSION.exec(name) ?? []
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor)
}

function isClaude(name: string): boolean {
  return /claude/i.test(name)
}
