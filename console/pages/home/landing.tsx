import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import { IconCopy, IconDashboard, IconLock, IconSwap, IconTags } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { useCopy } from '../../components/copy.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { Snippets } from './snippets.tsx'

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
            {t(user ? 'content.toConsole' : 'layout.login')}
          </LinkButton>
          {!user && (
            <LinkButton size="large" to="/register">
              {t('layout.register')}
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
