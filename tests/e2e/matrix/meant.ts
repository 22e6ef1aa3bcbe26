/** The expected content of a reply, for any formats that it passes through. */
export interface Meant {
  text?: string
  reasoning?: string
  calls?: { name: string; args: Record<string, unknown> }[]
  stop?: 'stop' | 'tools'
}
/** What a client's library has understood. */
export interface Parsed extends Meant {
  promptTokens?: number | undefined
  completionTokens?: number | undefined
}

export const FEATURES = [
  'plain',
  'stream',
  'tools',
  'parallel tools',
  'image in',
  'reasoning',
  'structured output',
  'error',
  'mid-stream break',
] as const
export type Feature = (typeof FEATURES)[number]

/** One thing to ask; the prompt tells the upstream which. */
export interface Case {
  feature: Feature
  stream: boolean
}

export const PROMPT_TOKENS = 20
export const COMPLETION_TOKENS = 12
export const TOTAL_TOKENS = PROMPT_TOKENS + COMPLETION_TOKENS
export const ERROR_TEXT = 'The teapot is on fire'

export const promptOf = (feature: Feature): string => `matrix ${feature}`

/** The smallest PNG: one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const TOOL = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const
export const SCHEMA = {
  name: 'capital',
  schema: {
    type: 'object',
    properties: { capital_of_the_matrix: { type: 'string' } },
    required: ['capital_of_the_matrix'],
    additionalProperties: false,
  },
} as const

export const MEANT: Record<Exclude<Feature, 'error'>, Meant> = {
  plain: { text: 'Hi there, friend – 你好!', stop: 'stop' },
  stream: { text: 'One, two – 三 and 🦉.', stop: 'stop' },
  tools: { calls: [{ name: TOOL.name, args: { city: 'Oslo' } }], stop: 'tools' },
  'parallel tools': {
    calls: [
      { name: TOOL.name, args: { city: 'Oslo' } },
      { name: TOOL.name, args: { city: 'Lima "2"' } },
    ],
    stop: 'tools',
  },
  'image in': { text: 'A single pixel.', stop: 'stop' },
  reasoning: { text: 'It is 42.', reasoning: 'Six times seven.', stop: 'stop' },
  'structured output': { text: '{"capital_of_the_matrix":"Zion"}', stop: 'stop' },
  'mid-stream break': { text: 'This sentence will not be finished because the line goes dead' },
}

/** A thought as models write it whose server does not tell it apart. */
export const taggedThought = ({ text, reasoning }: Meant): string => `<think>\n${reasoning}\n</think>\n\n${text}`
export const THOUGHTS_IN_TEXT: Meant = { text: taggedThought(MEANT.reasoning), stop: 'stop' }

/** What the program tells the model before a plain text, whole or streamed. */
export const SYSTEM = 'Be as terse as system-of-the-matrix'

/** Calls of an earlier turn, with what came of them: asked for parallel calls, every client tells of these. */
export const EARLIER = {
  question: 'How is the weather in Rome and in Riga?',
  calls: [
    { id: 'call_earlier_1', args: { city: 'Rome' }, result: 'rain-in-Rome' },
    { id: 'call_earlier_2', args: { city: 'Riga' }, result: 'sun-in-Riga' },
  ],
} as const

/** What must be found in the upstream's request, of a list one or the other, or the feature was lost on the way. */
export const EVIDENCE: Partial<Record<Feature, readonly (string | readonly string[])[]>> = {
  plain: [SYSTEM],
  stream: [SYSTEM],
  tools: [TOOL.name],
  'parallel tools': [TOOL.name, 'Rome', 'Riga', ...EARLIER.calls.map(({ result }) => result)],
  // Some vendors have images uploaded.
  'image in': [[PIXEL, Buffer.from(PIXEL, 'base64').toString('latin1')]],
  'structured output': ['capital_of_the_matrix'],
}
