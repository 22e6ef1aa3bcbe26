import { isRecord } from '../../../../core/records.ts'
import type { Conversation, Part, Turn } from '../../conversation/conversation.ts'
import { defined, type Json, objectsOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import { contentsOf, field } from './fields.ts'
import { configOf } from './parse-config.ts'
import { createCallIds, partOf } from './parse-parts.ts'
import { geminiToolChoiceOf, geminiToolsOf } from './parse-tools.ts'
import { countedRequest } from './requests.ts'

/**
 * Parses a `generateContent` request, or the request inside a `countTokens` request. The path names the model and
 * decides whether to stream. Throws REQUEST_MALFORMED. https://ai.google.dev/api/generate-content
 */
export function parseContent(request: Body): Conversation {
  const body = countedRequest(request)
  if (field(body, 'cachedContent'))
    refuse('cachedContent is stored at Google and cannot be read by this model: send the contents themselves')
  const { tools, webSearch } = geminiToolsOf(field(body, 'tools'))
  return defined({
    ...configOf(field(body, 'generationConfig')),
    turns: [...systemTurns(field(body, 'systemInstruction')), ...turnsOf(contentsOf(body))],
    tools,
    toolChoice: geminiToolChoiceOf(field(body, 'toolConfig')),
    webSearch: webSearch ? {} : undefined,
  }) as Conversation
}

function systemTurns(instruction: unknown): Turn[] {
  const text = systemText(instruction)
  return text ? [{ role: 'system', parts: [{ kind: 'text', text }] }] : []
}

/** Returns the text of a system instruction, which may be a string, a content, or a list of these. */
export function systemText(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction
  if (Array.isArray(instruction)) return instruction.map(systemText).filter(Boolean).join('\n')
  if (!isRecord(instruction)) return ''
  if (typeof instruction.text === 'string') return instruction.text
  const { parts } = instruction
  return (Array.isArray(parts) ? parts : [parts]).map(systemText).filter(Boolean).join('\n')
}

function turnsOf(contents: readonly unknown[]): Turn[] {
  const names = createCallIds()
  return contents.map((content, at): Turn => {
    if (typeof content === 'string') return { role: 'user', parts: [{ kind: 'text', text: content }] }
    if (!isRecord(content)) return refuse(`contents[${at}] must be an object with role and parts`)
    const { role } = content
    return {
      role: role === 'model' ? 'assistant' : role === 'system' ? 'system' : 'user',
      parts: geminiPartsOf(content).flatMap((part, index): Part[] =>
        partOf(part, { at: `contents[${at}].parts[${index}]`, names }),
      ),
    }
  })
}

/** Returns the parts of a content as a list. A client may send a single part without a list. */
export function geminiPartsOf({ parts }: Readonly<Json>): Json[] {
  return isRecord(parts) ? [parts] : objectsOf(parts)
}
