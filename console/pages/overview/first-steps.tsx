import { useTranslation } from 'react-i18next'

/** What to do with an account that has not sent a request yet. */
export function FirstSteps() {
  const { t } = useTranslation()
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('overview.empty.title')}</h2>
      <p>{t('overview.empty.hint')}</p>
      <ol className="first-steps">
        <li>
          {t('overview.empty.token')}
          <code>tollgate token create &lt;name&gt;</code>
        </li>
        <li>
          {t('overview.empty.client')}
          <code>{window.location.origin}/v1</code>
        </li>
      </ol>
    </section>
  )
}
