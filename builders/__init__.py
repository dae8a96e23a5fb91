"""Build benchmark items from documents. The functions of the package take and return the data classes of core.nouns. The
package does not import the store, the screens or eval."""
