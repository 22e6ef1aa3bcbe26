import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { useBaseAddress } from '../base-address.ts'
import { useCopy } from '../copy.tsx'
import { EmptyState } from '../empty-state.tsx'

export interface Submission {
  title: string
  hint: string
  /** What a program calls, below the address of the gateway. */
  path: string
  body: string
}

/** No task yet: the call that submits one, to be copied. */
export function HowToSubmit({ title, hint, path, body }: Submission) {
  const { t } = useTranslation()
  const copy = useCopy()
  const address = useBaseAddress()
  const command = `curl ${address}${path} \\\n  -H "Authorization: Bearer sk-…" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
  return (
    <EmptyState
      title={title}
      hint={hint}
      action={
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className="sample-call" tabIndex={0}>
            {command}
          </pre>
          <Button onClick={() => void copy(command)}>{t('action.copy')}</Button>
        </>
      }
    />
  )
}
