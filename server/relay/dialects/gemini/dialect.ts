import { isRecord, recordOf } from '../../../../core/records.ts'
import { type Json, numberOf } from '../../json.ts'
import type { Body, Dialect } from '../dialect.ts'
import { checkChoices, checkWholeNumbers, largestLimit, refuse } from '../refuse.ts'
import { contentError } from './errors.ts'
import { checkSpellings, contentsOf, field, snakeCase, withoutField } from './fields.ts'
import { framingFor } from './framing.ts'
import { parseContent, systemText } from './parse.ts'
import { contentForwarder } from './passing.ts'
import { promptOfContent } from './prompt.ts'
import { wholeContent } from './whole.ts'
import { contentWriter } from './writer.ts'

/** The format of Gemini's `generateContent`: https://ai.google.dev/api/generate-content */
export const geminiDialect: Dialect = {
  name: 'gemini',
  check(body) {
    if (contentsOf(body).length === 0) refuse('field contents is required')
    const config = field(body, 'generationConfig')
    if (config !== undefined && config !== null && !isRecord(config)) refuse('generationConfig must be an object')
    checkSpellings(body)
    const spellingsOf = (name: string) => [name, snakeCase(name)]
    checkWholeNumbers(recordOf(config), spellingsOf('maxOutputTokens'))
    checkChoices(recordOf(config), spellingsOf('candidateCount'))
  },
  prompt: promptOfContent,
  limit(body) {
    const config = recordOf(field(body, 'generationConfig'))
    const choices = numberOf(field(config, 'candidateCount')) ?? 1
    const thinking = field(recordOf(field(config, 'thinkingConfig')), 'thinkingBudget')
    const limit = largestLimit(field(config, 'maxOutputTokens'))
    return { tokens: limit && largestLimit(limit, thinking), choices: Math.max(1, choices) }
  },
  withLimit(body, tokens) {
    const config = withoutField(recordOf(field(body, 'generationConfig')), 'maxOutputTokens')
    return { ...withoutField(body, 'generationConfig'), generationConfig: { ...config, maxOutputTokens: tokens } }
  },
  parse: parseContent,
  withSystemPrompt,
  writer: contentWriter,
  whole: wholeContent,
  forwarder: contentForwarder,
  withModelName: (body, model) => ('modelVersion' in body ? { ...body, modelVersion: model } : { ...body }),
  error: (error) => ({ body: contentError(error) }),
  errorEvent: (error, { query }) => framingFor(query, { hasBegun: true }).broken(contentError(error)),
  trailingErrorChunks: (error, { query }) => framingFor(query).trailingErrorChunks(contentError(error)),
  ping: ': ping\n\n',
}

function withSystemPrompt(body: Body, prompt: string, { before }: { before: boolean }): Json {
  const instruction = field(body, 'systemInstruction')
  const text = systemText(instruction)
  if (text !== '' && !before) return body as Json
  const parts = [{ text: prompt }, ...(text === '' ? [] : [{ text }])]
  return { ...withoutField(body, 'systemInstruction'), systemInstruction: { parts } }
}
