/**
 * Closes the dialogs that a page opened with functions such as `Modal.info`. These dialogs would stay open after the
 * user leaves the page, and may show a key. The dialog about unsaved input is a component and stays open. Loads the
 * dialog code only if a dialog is open, because the login page's bundle does not contain this code.
 */
export async function closeDialogs(): Promise<void> {
  if (!document.querySelector('.arco-modal')) return
  try {
    const { default: Modal } = await import('@arco-design/web-react/es/Modal')
    Modal.destroyAll()
  } catch {
    // The dialog code cannot be loaded, so it has not opened a dialog.
  }
}
