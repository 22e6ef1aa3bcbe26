import { IconBulb } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../components/link-button.tsx'
import { FIRST_STEPS } from '../first-screen.ts'
import { useFirstSteps } from '../pages/first-steps/use-first-steps.ts'
import { useLocation } from '../router/hooks.ts'
import './first-steps-link.css'
import { useCompact } from './narrow.ts'

/** Polling interval. Some steps are completed outside this page, such as a client's first request. */
const REFRESH_MS = 30_000

/** A link to the page of first steps. Hidden on that page, and when the steps are completed or dismissed. */
export function FirstStepsLink() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const compact = useCompact()
  const { data, isHidden } = useFirstSteps({ everyMs: REFRESH_MS })
  const openSteps = data?.steps.filter(({ done }) => !done).length ?? 0
  if (isHidden || openSteps === 0 || pathname === FIRST_STEPS) return null
  const text = t('start.left', { count: openSteps })
  return (
    <LinkButton
      type={compact ? 'text' : 'outline'}
      className={compact ? 'tool' : 'first-steps-link'}
      to={FIRST_STEPS}
      icon={<IconBulb />}
      aria-label={text}
      title={text}
    >
      {compact ? undefined : <span className="first-steps-link-text">{text}</span>}
    </LinkButton>
  )
}
