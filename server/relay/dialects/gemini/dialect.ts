import { isObject, type Json, numberOf, objectOf } from '../../json.ts'
import type { Body, Dialect } from '../dialect.ts'
import { checkChoices, checkWholeNumbers, largest, refuse } from '../refuse.ts'
import { contentError } from './errors.ts'
import { checkSpellings, contentsOf, field, snakeCase, withoutField } from './fields.ts'
import { framingFor } from './framing.ts'
import { parseContent, systemText } from './parse.ts'
import { passingContent } from './passing.ts'
import { promptOfContent } from './prompt.ts'
import { wholeContent } from './whole.ts'
import { contentWriter } from './writer.ts'

/** Gemini's `generateContent`: https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  name: 'gemini',
  check(body) {
    if (contentsOf(body).length === 0) refuse('field contents is required')
    const config = field(body, 'generationConfig')
    if (config !== undefined && config !== null && !isObject(config)) refuse('generationConfig must be an object')
    checkSpellings(body)
    const both = (name: string) => [name, snakeCase(name)]
    checkWholeNumbers(objectOf(config), both('maxOutputTokens'))
    checkChoices(objectOf(config), both('candidateCount'))
  },
  prompt: promptOfContent,
  limit(body) {
    const config = objectOf(field(body, 'generationConfig'))
    const choices = numberOf(field(config, 'candidateCount')) ?? 1
    const thinking = field(objectOf(field(config, 'thinkingConfig')), 'thinkingBudget')
    const limit = largest(field(config, 'maxOutputTokens'))
    return { tokens: limit && largest(limit, thinking), choices: Math.max(1, choices) }
  },
  withLimit(body, tokens) {
    const config = withoutField(objectOf(field(body, 'generationConfig')), 'maxOutputTokens')
    return { ...withoutField(body, 'generationConfig'), generationConfig: { ...config, maxOutputTokens: tokens } }
  },
  parse: parseContent,
  withSystemPrompt,
  writer: contentWriter,
  whole: wholeContent,
  passing: passingContent,
  renamed: (body, model) => ('modelVersion' in body ? { ...body, modelVersion: model } : { ...body }),
  error: (error) => ({ body: contentError(error) }),
  errorEvent: (error, { query }) => framingFor(query, { begun: true }).broken(contentError(error)),
  errorAlone: (error, { query }) => framingFor(query).alone(contentError(error)),
  ping: ': ping\n\n',
}

function withSystemPrompt(body: Body, prompt: string, { before }: { before: boolean }): Json {
  const own = field(body, 'systemInstruction')
  const text = systemText(own)
  if (text !== '' && !before) return body as Json
  const parts = [{ text: prompt }, ...(text === '' ? [] : [{ text }])]
  return { ...withoutField(body, 'systemInstruction'), systemInstruction: { parts } }
}
