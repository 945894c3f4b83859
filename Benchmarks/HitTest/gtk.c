// Hit-testing as GTK 4 has it: gtk_widget_pick over GtkFixed widgets of a window that is shown.
#include "scene.h"
#include <gtk/gtk.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    struct scene scene = scene_read(argv[1]);
    if (!gtk_init_check()) {
        fprintf(stderr, "gtk: no display\n");
        return 1;
    }
    GtkWidget *window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    GtkWidget *root = gtk_fixed_new();
    gtk_widget_set_overflow(root, GTK_OVERFLOW_HIDDEN);
    gtk_window_set_child(GTK_WINDOW(window), root);
    gtk_widget_set_size_request(root, scene.width, scene.height);
    GtkWidget **widgets = calloc((size_t)scene.view_count, sizeof *widgets);
    GHashTable *numbers = g_hash_table_new(NULL, NULL);
    for (int i = 0; i < scene.view_count; i++) {
        struct scene_view *view = &scene.views[i];
        GtkWidget *widget = widgets[i] = gtk_fixed_new();
        GtkFixed *parent = GTK_FIXED(view->parent >= 0 ? widgets[view->parent] : root);
        gtk_widget_set_size_request(widget, (int)view->width, (int)view->height);
        gtk_fixed_put(parent, widget, view->x, view->y);
        if (view->degrees != 0) {
            float x = (float)view->width / 2, y = (float)view->height / 2;
            GskTransform *turn = gsk_transform_translate(
                NULL, &GRAPHENE_POINT_INIT((float)view->x + x, (float)view->y + y));
            turn = gsk_transform_rotate(turn, (float)view->degrees);
            turn = gsk_transform_translate(turn, &GRAPHENE_POINT_INIT(-x, -y));
            gtk_fixed_set_child_transform(parent, widget, turn);
        }
        g_hash_table_insert(numbers, widget, GINT_TO_POINTER(i + 1));
    }
    gtk_window_present(GTK_WINDOW(window));
    // Widgets are found only when they have been given their places, which the window's first frame does.
    double start = now();
    while (gtk_widget_get_width(root) == 0 && now() - start < 60e9) g_main_context_iteration(NULL, TRUE);
    for (int i = 0; i < 20; i++) g_main_context_iteration(NULL, FALSE);

    double result;
    GtkWidget **found = calloc((size_t)scene.point_count, sizeof *found);
    SCENE_MEASURE(
        &scene, result,
        (found[i] = gtk_widget_pick(root, scene.points[i][0], scene.points[i][1], GTK_PICK_DEFAULT), 0));
    for (int i = 0; i < scene.point_count; i++)
        scene.answers[i] = GPOINTER_TO_INT(g_hash_table_lookup(numbers, found[i])) - 1;
    report("gtk_widget_pick", result);
    scene_write_answers(&scene, argv[2]);
    fflush(stdout);
    _Exit(0);
}
