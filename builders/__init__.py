"""Build benchmark items from documents. The functions of the package take and return the data classes of core.nouns. The
package does not import the packages of the store, the user interface or the evaluation (eval)."""
