import { useTranslation } from 'react-i18next'
import type { PlaygroundRequest } from '../../api/playground.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { CodeTabsDialog } from './code-tabs-dialog.tsx'

interface Props {
  request: PlaygroundRequest
  visible: boolean
  onClose: () => void
}

/** A dialog with code that sends the conversation as one request. */
export function CodeDialog({ request, ...dialog }: Props) {
  const { t } = useTranslation()
  return <CodeTabsDialog title={t('playground.code')} tabs={codeFor(request, useBaseAddress())} {...dialog} />
}

/** Returns the request for use with an API key. Omits the group, which the key determines, and a token limit of 0. */
function publicRequest({ group: _, max_tokens, ...request }: PlaygroundRequest): object {
  return { ...request, ...(max_tokens > 0 && { max_tokens }) }
}

/** Returns code that sends a request, for several languages and tools. */
function codeFor(request: PlaygroundRequest, address: string): { name: string; code: string }[] {
  const json = JSON.stringify(publicRequest(request), undefined, 2)
  return [
    {
      name: 'curl',
      code: `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", "'\\''")}'`,
    },
    {
      name: 'Python',
      // A JSON string is also a Python string literal.
      code: `import json
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="sk-…")
request = json.loads(${JSON.stringify(json)})
reply = client.chat.completions.create(**request)
print(reply.choices[0].message.content)`,
    },
    {
      name: 'Node',
      code: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: 'sk-…' })
const reply = await client.chat.completions.create(${json})
console.log(reply.choices[0].message.content)`,
    },
  ]
}
