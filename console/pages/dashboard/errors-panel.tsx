import { useTranslation } from 'react-i18next'
import type { Dashboard } from '../../api/dashboard.ts'
import { LOG_TYPE } from '../../api/logs.ts'
import { Count } from '../../components/count.tsx'
import { Link } from '../../router/link.tsx'
import { type DashboardSpan, type LogScope, logPath } from './groups.ts'

/** A table of the failures by error code. */
export function Errors({ errors, span, scope }: { errors: Dashboard['errors']; span: DashboardSpan; scope: LogScope }) {
  const { t } = useTranslation()
  if (errors.length === 0) return <p className="panel-empty">{t('dashboard.noErrors')}</p>
  const largest = Math.max(...errors.map(({ count }) => count))
  return (
    <table className="usage">
      <thead>
        <tr>
          <th scope="col">{t('dashboard.errorCode')}</th>
          <th scope="col">{t('dashboard.errorCount')}</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ code, count }) => (
          <tr key={code}>
            <th scope="row">
              <span className="usage-model">
                <Link to={logPath(span, { ...scope, type: LOG_TYPE.error })}>{code}</Link>
              </span>
              <span
                className="usage-bar"
                style={{ width: `${(count / largest) * 100}%`, background: 'rgb(var(--red-6))' }}
              />
            </th>
            <td>
              <Count value={count} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
