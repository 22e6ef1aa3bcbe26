import Tabs from '@arco-design/web-react/es/Tabs'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/code-block.tsx'

/** A first request in the format of each API. */
const SNIPPETS = {
  OpenAI: (address: string) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer sk-…" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}'`,
  Anthropic: (address: string) => `curl ${address}/v1/messages \\
  -H "x-api-key: sk-…" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "claude-3-5-haiku-latest", "max_tokens": 256, "messages": [{"role": "user", "content": "Hello"}]}'`,
  Gemini: (address: string) => `curl "${address}/v1beta/models/gemini-2.0-flash:generateContent" \\
  -H "x-goog-api-key: sk-…" \\
  -H "Content-Type: application/json" \\
  -d '{"contents": [{"parts": [{"text": "Hello"}]}]}'`,
} as const

export function Snippets({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Tabs lazyload destroyOnHide className="landing-snippets" aria-label={t('content.snippets')}>
      {Object.entries(SNIPPETS).map(([name, write]) => (
        <Tabs.TabPane key={name} title={name}>
          <CodeBlock>
            <code>{write(address)}</code>
          </CodeBlock>
        </Tabs.TabPane>
      ))}
    </Tabs>
  )
}
