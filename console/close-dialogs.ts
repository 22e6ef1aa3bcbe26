/**
 * Closes the dialogs that a page opened with functions such as `Modal.info`. They would stay open after the page is left, and
 * may show a key. The dialog that asks about unsaved input is a component and stays open. The login page's bundle does not
 * contain the code of dialogs; while a dialog is open, that code is loaded.
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
