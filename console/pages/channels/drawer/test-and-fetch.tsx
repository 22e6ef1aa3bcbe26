import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { IconThunderbolt } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../components/show-error.ts'

interface Props {
  /** Fetches the upstream's models with the entered key. */
  onFetch: () => Promise<string[]>
  onModels: (models: string[]) => void
}

/** A button that tests the key: it fetches the models of the account and puts the models into the form. */
export function TestAndFetch({ onFetch, onModels }: Props) {
  const { t } = useTranslation()
  const fetchAction = useMutation({
    mutationFn: async () => [...new Set(await onFetch())].sort((a, b) => a.localeCompare(b)),
    onSuccess: (models) => {
      if (models.length === 0) return void Message.warning(t('channelForm.fetchedNone'))
      onModels(models)
      Message.success(t('channelForm.accountModels', { count: models.length }))
    },
    onError: (error) => showError(t, error, (reason) => t('channelForm.fetchFailed', { reason })),
  })
  return (
    <div className="test-and-fetch">
      <Button
        type="outline"
        icon={<IconThunderbolt />}
        loading={fetchAction.isPending}
        onClick={() => fetchAction.mutate()}
      >
        {t('channelForm.testAndFetch')}
      </Button>
    </div>
  )
}
