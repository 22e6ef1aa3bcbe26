import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useBaseAddress } from '../../components/base-address.ts'

/** What to do with an account that has not sent a request yet. */
export function FirstSteps() {
  const { t } = useTranslation()
  const address = useBaseAddress()
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('dashboard.empty.title')}</h2>
      <p>{t('dashboard.empty.hint')}</p>
      <ol className="first-steps">
        <li>
          {t('dashboard.empty.token')} <Link to="/token">{t('dashboard.empty.toTokens')}</Link>
        </li>
        <li>
          {t('dashboard.empty.client')}
          <code>{address}/v1</code>
        </li>
      </ol>
    </section>
  )
}
