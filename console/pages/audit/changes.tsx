import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../api/audit.ts'
import { changedFieldsOf } from './columns.tsx'

/** The fields that an action changed, with the values before and after the action. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const { before, after } = entry
  const fields = changedFieldsOf(entry)
  if (fields.length === 0) return <p>{t('audit.noFields')}</p>
  return (
    <table className="audit-changes">
      <thead>
        <tr>
          {(['field', 'before', 'after'] as const).map((title) => (
            <th key={title} scope="col">
              {t(`audit.${title}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{textOf(before?.[field])}</td>
            <td>{textOf(after?.[field])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
