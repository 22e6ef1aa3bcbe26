import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Tabs from '@arco-design/web-react/es/Tabs'
import { IconCopy, IconDashboard, IconLock, IconSwap, IconTags } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { useCopy } from '../../components/copy.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'

const POINTS = [
  { name: 'formats', icon: <IconSwap /> },
  { name: 'failover', icon: <IconDashboard /> },
  { name: 'billing', icon: <IconTags /> },
  { name: 'keys', icon: <IconLock /> },
] as const satisfies readonly { name: string; icon: ReactNode }[]

/** The built-in home page. */
export function Landing() {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { user } = useStore(session)
  const copy = useCopy()
  const address = useBaseAddress()
  return (
    <div className="landing">
      <section className="landing-hero">
        <h1>{status?.system_name || 'Tollgate'}</h1>
        <p className="landing-claim">{t('content.claim')}</p>
        <p className="landing-about">{t('content.what')}</p>
        <div className="landing-buttons">
          <LinkButton type="primary" size="large" to={user ? FIRST_SCREEN : '/login'}>
            {t(user ? 'content.toConsole' : 'screen.login')}
          </LinkButton>
          {!user && (
            <LinkButton size="large" to="/register">
              {t('screen.register')}
            </LinkButton>
          )}
          <LinkButton size="large" to="/pricing">
            {t('content.toPricing')}
          </LinkButton>
        </div>
      </section>
      <section className="landing-start" aria-labelledby="landing-start">
        <h2 id="landing-start">{t('content.start')}</h2>
        <p>{t('content.startHint')}</p>
        <div className="landing-address">
          <Input readOnly value={address} aria-label={t('content.address')} addBefore={t('content.address')} />
          <Button type="primary" icon={<IconCopy />} onClick={() => void copy(address)}>
            {t('action.copy')}
          </Button>
        </div>
        <Snippets address={address} />
      </section>
      <ul className="landing-points">
        {POINTS.map(({ name, icon }) => (
          <li key={name}>
            <span className="landing-icon">{icon}</span>
            <h2>{t(`content.point.${name}.title`)}</h2>
            <p>{t(`content.point.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

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

function Snippets({ address }: { address: string }) {
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
