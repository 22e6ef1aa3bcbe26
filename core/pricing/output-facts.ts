import { matchesName, ownRatio } from './names.ts'
/** Facts about the output of a model that are known before a request. */
export interface OutputFacts {
  /** Maximum number of tokens of one reply, including reasoning. undefined if it is unknown. */
  readonly tokensMax: number | undefined
  /** Whether the model may charge for reasoning that the stream does not contain. */
  readonly hidesReasoning: boolean
}

interface Rule {
  readonly name: RegExp
  readonly tokensMax?: number
  /** The stream contains all output that the vendor charges for. */
  readonly plain?: true
}

/**
 * The vendors' documented limits. The first match counts, so narrower patterns come first.
 *
 * Holds must cover reasoning. So a family is not `plain` even if its models reason only on request.
 */
const RULES: readonly Rule[] = [
  { name: /^(ft:)?gpt-3\.5-turbo-16k/, tokensMax: 16_384, plain: true },
  { name: /^(ft:)?gpt-3\.5/, tokensMax: 4096, plain: true },
  { name: /^gpt-4o-2024-05-13/, tokensMax: 4096, plain: true },
  { name: /^(ft:)?(gpt-4o|chatgpt-4o)/, tokensMax: 16_384, plain: true },
  { name: /^(ft:)?gpt-4\.1/, tokensMax: 32_768, plain: true },
  { name: /^gpt-4\.5/, tokensMax: 16_384, plain: true },
  { name: /^gpt-4-(turbo|1106|0125|vision)/, tokensMax: 4096, plain: true },
  { name: /^gpt-4-32k/, tokensMax: 32_768, plain: true },
  { name: /^(ft:)?gpt-4(-\d{4})?$/, tokensMax: 8192, plain: true },
  { name: /^gpt-5[\d.]*-chat/, tokensMax: 16_384, plain: true },
  { name: /^gpt-5-pro/, tokensMax: 272_000 },
  { name: /^(gpt-5|gpt-oss)/, tokensMax: 131_072 },
  { name: /^o1-preview/, tokensMax: 32_768 },
  { name: /^o1-mini/, tokensMax: 65_536 },
  { name: /^(o\d|codex)/, tokensMax: 100_000 },
  { name: /^(davinci|babbage)-002/, tokensMax: 16_384, plain: true },
  { name: /^claude-(\d.*)?-?thinking/, tokensMax: 128_000 },
  { name: /^claude-(2|instant|3-(opus|sonnet|haiku))/, tokensMax: 4096, plain: true },
  { name: /^claude-3-5/, tokensMax: 8192, plain: true },
  { name: /^claude-opus-4(-[01](?!\d)|-2025|@|$)/, tokensMax: 32_000 },
  { name: /^claude-(sonnet-4|haiku-4|opus-4-5)/, tokensMax: 64_000 },
  { name: /^claude/, tokensMax: 128_000 },
  { name: /^gemini-2\.0.*thinking/, tokensMax: 65_536 },
  { name: /^(gemini-(1|2\.0|pro|ultra)|gemma)/, tokensMax: 8192, plain: true },
  { name: /^gemini/, tokensMax: 65_536 },
  { name: /(thinking|reason|qwq|magistral|-r1)/ },
  { name: /^deepseek-(chat|coder)/, tokensMax: 8192, plain: true },
  { name: /^command-(r|light|nightly)|^command$/, tokensMax: 4096, plain: true },
  {
    name: /^(mistral|ministral|mixtral|open-mi|codestral|pixtral|llama|meta-llama|moonshot-v1|yi-|grok-[23](?!-mini))/,
    plain: true,
  },
  { name: /^(glm-4(?!\.)|chatglm|ernie-|hunyuan-(lite|pro|standard)|sparkdesk|qwen2)/, plain: true },
]

/** The prefix of a model name, as in `models/gemini-2.5-pro`, `us.anthropic.claude-…` and `openai/gpt-4o`. */
const PREFIX = /^(.*\/|([a-z]{2,6}\.)?(anthropic|meta|mistral|cohere|amazon|deepseek|openai)\.)/

/** Returns the facts that a model's name implies. */
export function factsByName(model: string): OutputFacts {
  const name = model.toLowerCase().replace(PREFIX, '')
  // The suffix -thinking requests reasoning, even from families that do not reason by default.
  const requestsReasoning = /-thinking(-|$)/.test(name)
  const rule = RULES.find((candidate) => candidate.name.test(name))
  return { tokensMax: rule?.tokensMax, hidesReasoning: requestsReasoning || !rule?.plain }
}

/** The operator's options about output, with the same names. */
export interface OutputTables {
  readonly outputTokensMax: Readonly<Record<string, number>>
  /** Model names. A `*` at the end matches any suffix. */
  readonly plainModels: readonly string[]
}

/** Returns a model's output facts from the operator's tables, its name or, for `tokensMax`, its context window. */
export function outputFacts(
  model: string,
  { tables, contextWindow }: { tables: OutputTables; contextWindow: number | undefined },
): OutputFacts {
  const byName = factsByName(model)
  const { outputTokensMax, plainModels } = tables
  const isPlain = plainModels.some((name) => matchesName(model, name))
  return {
    tokensMax: ownRatio(outputTokensMax, model) || (byName.tokensMax ?? contextWindow),
    hidesReasoning: !isPlain && byName.hidesReasoning,
  }
}
