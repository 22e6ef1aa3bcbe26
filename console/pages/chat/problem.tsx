import Button from '@arco-design/web-react/es/Button'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { useNavigate } from '../../router/hooks.ts'

/** The reason why the chat is not available. */
export type ChatProblem = 'signedOut' | 'unreadable' | 'none' | 'broken' | 'noToken' | { error: unknown }

export function Problem({ problem, onRetry }: { problem: ChatProblem; onRetry: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  switch (problem) {
    case 'signedOut':
      return (
        <ProblemText title={t('chat.signIn')} hint={t('chat.signInHint')}>
          <Button type="primary" onClick={() => void navigate('/login')}>
            {t('screen.login')}
          </Button>
        </ProblemText>
      )
    case 'unreadable':
    case 'none':
    case 'broken':
      return <ProblemText title={t(`chatLink.${problem}`)} hint={t('chat.askAdmin')} />
    case 'noToken':
      return <ProblemText title={t('chat.noToken')} />
    default:
      return (
        <ProblemText title={failureText(t, problem.error)}>
          <Button onClick={onRetry}>{t('table.retry')}</Button>
        </ProblemText>
      )
  }
}

function ProblemText({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="panel" role="alert">
      <EmptyState title={title} hint={hint} action={children} />
    </div>
  )
}
